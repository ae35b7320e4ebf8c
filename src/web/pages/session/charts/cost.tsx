/** What the session has cost so far, by seat, against its budget. */
import { moderatorUsageOf, type UsageSum, usageBySeat, usageOf } from '../../../../core/log/usage.ts'
import { dollars, spentCost } from '../../../../core/wording/money.ts'
import { wholeNumber } from '../../../../core/wording/numbers.ts'
import { searchWords } from '../../../../core/wording/spent-words.ts'
import { Bar } from '../../../components/bar.tsx'
import { useStage } from '../stage.ts'

const Row = ({ label, usage, strong }: { label: string; usage: UsageSum; strong?: boolean }) => (
  <tr className={`border-t border-line ${strong ? 'font-semibold' : ''}`}>
    <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
      {label}
    </th>
    <td className="py-1.5 pr-3 text-right tabular-nums">
      {wholeNumber(usage.inputTokens)}
      {usage.cachedTokens > 0 && (
        <span className="block text-xs font-normal text-soft">{wholeNumber(usage.cachedTokens)} cached</span>
      )}
    </td>
    <td className="py-1.5 pr-3 text-right tabular-nums">{wholeNumber(usage.outputTokens)}</td>
    <td className="py-1.5 text-right tabular-nums">
      {spentCost(usage)}
      {searchWords(usage)}
    </td>
  </tr>
)

export const CostTable = () => {
  const { session } = useStage()
  const bySeat = usageBySeat(session)
  const whole = usageOf(session)
  const cap = session.budget?.usd
  return (
    <>
      {cap !== undefined && whole.costUsd !== null && (
        <p className="mb-3 flex items-center gap-3 text-sm">
          <Bar share={whole.costUsd / cap} className="w-32" />
          {dollars(whole.costUsd)} of {dollars(cap)}
        </p>
      )}
      <table className="w-full text-sm">
        <thead>
          <tr className="text-right text-soft">
            <th className="w-1/2 pb-1.5 text-left font-medium">Seat</th>
            <th className="pr-3 pb-1.5 font-medium">In</th>
            <th className="pr-3 pb-1.5 font-medium">Out</th>
            <th className="pb-1.5 font-medium">Cost</th>
          </tr>
        </thead>
        <tbody>
          {session.seats.map(seat => {
            const usage = bySeat[seat.id]
            return usage && <Row key={seat.id} label={seat.name} usage={usage} />
          })}
          <Row label="Moderator" usage={moderatorUsageOf(session)} />
          <Row label="Total" usage={whole} strong />
        </tbody>
      </table>
    </>
  )
}
