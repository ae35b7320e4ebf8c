/** Seats another model instead of one that gave no answer. */

import { type FormEvent, useState } from 'react'
import { seatOf } from '../../core/session.ts'
import { replaceSeat } from '../kit/api.ts'
import { Button, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { ModelField } from './dialogs.tsx'
import { useStage } from './stage.tsx'

export default function ReplaceDialog({ seat, onClose }: { seat: string; onClose: () => void }) {
  const { session, live } = useStage()
  const [model, setModel] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => replaceSeat(session.id, seat, { seat: model }),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={`Replace ${seatOf(session, seat).name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <ModelField label="Model" value={model} onChange={setModel} />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || model.trim() === ''}>
            Seat it
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
