/** How often two models gave the same sealed answer: those that always do are one voice, not two. */
import type { StatsReply } from '../../../api/index.ts'
import { inPercent } from '../../../core/wording/numbers.ts'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { agreementIn } from './record.ts'

/** With more rows it stops being a picture. */
const most = 10

/** A phone has room for six of them, below their names: beside the figures, a name would be cut to its first letters. */
const onPhone =
  'max-sm:[&_tr]:grid max-sm:[&_tr]:grid-cols-[repeat(6,2.5rem)] max-sm:[&_tr:nth-child(n+7)]:hidden max-sm:[&_tr>*:nth-child(n+8)]:hidden'
const cell = 'size-10 min-w-10 text-center max-sm:grid max-sm:place-content-center'

/** The figure is in the cell: many people cannot read a shade alone. */
const Cell = ({ same, of }: { same: number; of: number }) => (
  <td title={`${same} of ${of} times`} className={`relative p-0.5 ${cell}`}>
    <svg className="absolute inset-0.5 size-[calc(100%-0.25rem)]" aria-hidden="true">
      <rect width="100%" height="100%" rx="5" fill="var(--accent)" opacity={0.06 + (same / of) * 0.34} />
    </svg>
    <span className="relative tabular-nums">{inPercent(same / of, 0)}</span>
  </td>
)

export const HeatMap = ({ stats }: { stats: StatsReply }) => {
  const met = (model: string): boolean =>
    stats.agreement.some(({ one, other }) => one === model || other === model)
  // Those who sat together most often: a table of fifty that met once says little.
  const models = stats.models
    .filter(({ model }) => met(model))
    .toSorted((one, other) => other.sessions - one.sessions)
    .slice(0, most)
  if (models.length < 2)
    return (
      <p className="text-soft">
        This appears when two models have sat at one table and their answers were grouped.
      </p>
    )
  return (
    <ScrollRegion label="Agreement in percent">
      <table className={`text-sm ${onPhone}`}>
        <thead>
          <tr>
            <td className="max-sm:hidden" />
            {models.map(({ model, name }, index) => (
              <th key={model} scope="col" title={name} className="pb-1 text-center font-medium text-soft">
                {index + 1}
                <span className="sr-only"> {name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((one, index) => (
            <tr key={one.model}>
              <th
                scope="row"
                className="max-w-40 truncate pr-3 text-left font-normal max-sm:col-span-full max-sm:max-w-none max-sm:pt-2 max-sm:whitespace-normal"
                title={one.name}
              >
                <span className="text-soft">{index + 1}</span> {one.name}
              </th>
              {models.map(other => {
                const pair = agreementIn(stats, one.model, other.model)
                if (pair) return <Cell key={other.model} {...pair} />
                return (
                  <td key={other.model} className={`text-soft ${cell}`}>
                    {one === other ? '' : '·'}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
