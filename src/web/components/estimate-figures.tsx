/** Calls, tokens, cost and time of a session or a round, side by side. */
import type { EstimateReply } from '../../api/index.ts'
import { estimateText } from '../../core/wording/estimate.ts'

export const EstimateFigures = ({ estimate }: { estimate: EstimateReply }) => (
  <>
    <p aria-hidden="true" className="label">
      Estimate
    </p>
    <dl aria-label="Estimate" className="grid grid-cols-2 gap-x-5 gap-y-1 sm:flex">
      {Object.entries(estimateText(estimate)).map(([label, value]) => (
        <div key={label} className="flex flex-col">
          <dd className="text-sm font-semibold whitespace-nowrap tabular-nums sm:text-base">{value}</dd>
          <dt className="order-last text-xs text-soft">{label}</dt>
        </div>
      ))}
    </dl>
  </>
)
