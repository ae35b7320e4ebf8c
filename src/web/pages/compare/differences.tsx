/** What is different, in one table, before the sessions themselves. */
import { useMemo } from 'react'
import type { SessionEvent } from '../../../core/log/event.ts'
import { fold } from '../../../core/log/state.ts'
import { differencesOf } from './difference.ts'

interface DifferencesProps {
  readonly one: readonly SessionEvent[]
  readonly other: readonly SessionEvent[]
}

export const Differences = ({ one, other }: DifferencesProps) => {
  const found = useMemo(() => differencesOf(fold(one), fold(other)), [one, other])
  return (
    <section aria-label="What is different" className="card p-4 sm:p-6">
      <h2 className="label mb-2">What is different</h2>
      {found.length === 0 && <p className="text-soft">Nothing that is compared here.</p>}
      <table className="w-full table-fixed text-sm">
        <tbody>
          {found.map(difference => (
            <tr
              key={difference.label}
              className="grid grid-cols-2 border-t border-line align-top first:border-0 sm:table-row"
            >
              <th
                scope="row"
                className="col-span-2 pt-2 text-left font-normal text-soft sm:w-40 sm:py-2 sm:pr-3"
              >
                {difference.label}
              </th>
              <td className="pt-0.5 pr-4 pb-2 break-words sm:py-2">
                <span className="line-clamp-4">{difference.one}</span>
              </td>
              <td className="pt-0.5 pb-2 break-words sm:py-2">
                <span className="line-clamp-4">{difference.other}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
