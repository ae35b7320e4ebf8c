/** The tally, sealed and final side by side: what the table thought alone, and what it thinks together. */

import { campsById } from '../../../../core/camps/standings.ts'
import type { Tally as Count } from '../../../../core/verdict/tally.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import { CampMark, campFill } from '../../../components/camp.tsx'
import { useStage } from '../stage.ts'

const Bar = ({ share, number }: { share: number; number: number | undefined }) => (
  <svg className="h-3 w-full" aria-hidden="true">
    <rect width="100%" height="100%" rx="4" fill="var(--shade)" />
    {share > 0 && (
      <rect
        width={`${share * 100}%`}
        height="100%"
        rx="4"
        fill={number === undefined ? 'var(--edge)' : campFill(number)}
      />
    )}
  </svg>
)

const sizeOf = (tally: Count | null, row: string): number | null => {
  if (!tally) return null
  if (row === 'silent' || row === 'abstained') return tally[row].length
  return tally.camps.find(camp => camp.id === row)?.seats.length ?? 0
}

export const TallyTable = () => {
  const { session, numbers } = useStage()
  const { sealed, final, leading, of } = verdictOf(session)
  const camps = campsById(session)
  const ids = [...camps.keys()].toSorted((one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0))
  const absent = ['silent', 'abstained'].filter(row => sizeOf(sealed, row) || sizeOf(final, row))
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-soft">
          <th className="pb-2 font-medium">Camp</th>
          <th className="w-1/4 pb-2 font-medium">Sealed</th>
          <th className="w-1/4 pb-2 font-medium">Final</th>
        </tr>
      </thead>
      <tbody>
        {[...ids, ...absent].map(row => {
          const number = numbers.get(row)
          return (
            <tr key={row} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                <span className="flex items-start gap-2">
                  {camps.has(row) && <CampMark index={number ?? 0} className="size-4.5" />}
                  <span>
                    <span className="said line-clamp-4">{camps.get(row)?.label ?? row}</span>
                    {row === leading && <strong className="block text-accent">leads</strong>}
                  </span>
                </span>
              </th>
              {[sealed, final].map((tally, index) => {
                const size = sizeOf(tally, row)
                return (
                  <td key={index === 0 ? 'sealed' : 'final'} className="py-2 pr-3">
                    <span className="tabular-nums">{size ?? '–'}</span>
                    <Bar share={(size ?? 0) / of} number={camps.has(row) ? (number ?? 0) : undefined} />
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
