/** One more round: what it would take, before anything is spent. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { addRound, estimateRound } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EstimateFigures } from '../../../components/estimate-figures.tsx'
import { Problem } from '../../../components/notice.tsx'
import { useStage } from '../stage.ts'

export const RoundDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { live } = useStage()
  const estimate = useQuery({
    queryKey: ['round-estimate', id],
    queryFn: () => estimateRound(id),
    ...{ retry: false, gcTime: 0 },
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => addRound(id),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const problem = error ?? estimate.error
  return (
    <Dialog title="Add a round" onClose={onClose}>
      <p className="text-soft">
        Every seat reads the others once more and may change its mind. Then the verdict is counted anew.
      </p>
      <div className="my-4 min-h-12">
        {estimate.data ? <EstimateFigures estimate={estimate.data} /> : !problem && <p>Estimating…</p>}
        {estimate.data?.notes.map(note => (
          <p key={note} className="mt-1 text-sm text-soft">
            {note}
          </p>
        ))}
        {problem && <Problem error={problem} />}
      </div>
      <p className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={isPending || !estimate.data} onClick={() => mutate()}>
          Add the round
        </Button>
      </p>
    </Dialog>
  )
}
