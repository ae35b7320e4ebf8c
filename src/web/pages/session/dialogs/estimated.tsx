/** What a step would take, or why it can't be taken. It has its room before it is known. */
import type { EstimateReply } from '../../../../api/index.ts'
import { EstimateFigures } from '../../../components/estimate-figures.tsx'
import { Problem } from '../../../components/notice.tsx'

export const Estimated = ({
  estimate,
  problem,
}: {
  estimate: EstimateReply | undefined
  problem: Error | null
}) => (
  <div className="my-4 min-h-12">
    {estimate ? <EstimateFigures estimate={estimate} /> : !problem && <p>Estimating…</p>}
    {estimate?.notes.map(note => (
      <p key={note} className="mt-1 text-sm text-soft">
        {note}
      </p>
    ))}
    {problem && <Problem error={problem} />}
  </div>
)
