/** The right answer became known: which camps had it, for the models' track record. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Accepted } from '../../../server/api.ts'
import { request, sessionPath } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CampMark } from '../../components/camp.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Problem } from '../../components/notice.tsx'
import { campsById } from './camps.ts'
import { useStage } from './stage.ts'

export const ResolveDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { session, numbers, live } = useStage()
  const [answer, setAnswer] = useState('')
  const [right, setRight] = useState<readonly string[]>([])
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<Accepted>('POST', `${sessionPath(id)}/resolve`, { answer, camps: right }),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const toggle = (camp: string): void =>
    setRight(right.includes(camp) ? right.filter(one => one !== camp) : [...right, camp])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title="What was the right answer?" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="The right answer, in your words"
          value={answer}
          required
          onChange={change => setAnswer(change.target.value)}
        />
        <fieldset>
          <legend className="label">Camps that had it; none if nobody did</legend>
          {[...campsById(session).values()].map(camp => (
            <label key={camp.id} className="mt-2 flex items-start gap-2">
              <input
                type="checkbox"
                className="mt-1 size-4 accent-accent"
                checked={right.includes(camp.id)}
                onChange={() => toggle(camp.id)}
              />
              <CampMark index={numbers.get(camp.id) ?? 0} />
              <span className="said">{camp.label}</span>
            </label>
          ))}
        </fieldset>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || answer.trim() === ''}>
            Resolve
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
