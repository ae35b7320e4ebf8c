/** One more round: what it would take, before anything is spent. */
import { useQuery } from '@tanstack/react-query'
import { addRound, estimateRound } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { useMutation } from '../../../components/mutation.ts'
import { useStage } from '../stage.ts'
import { Estimated } from './estimated.tsx'

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
  return (
    <Dialog title="Add a round" onClose={onClose}>
      <p className="text-soft">
        Every seat reads the others once more and may change its mind. Then the verdict is counted anew.
      </p>
      <Estimated estimate={estimate.data} problem={error ?? estimate.error} />
      <p className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={isPending || !estimate.data} onClick={() => mutate()}>
          Add the round
        </Button>
      </p>
    </Dialog>
  )
}
