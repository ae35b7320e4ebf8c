/** The right answer became known: which camp had it, for the models' track record. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Accepted } from '../../../../api/index.ts'
import { campsById } from '../../../../core/camps/standings.ts'
import { request, sessionPath } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { CampMark } from '../../../components/camp.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { useMutation } from '../../../components/mutation.ts'
import { Problem } from '../../../components/notice.tsx'
import { useStage } from '../stage.ts'

/** For an answer that nobody at the table gave. */
const elsewhere = 'elsewhere'

interface ChoiceProps {
  readonly checked: boolean
  onChoose(): void
  readonly children: ReactNode
}

const Choice = ({ checked, onChoose, children }: ChoiceProps) => (
  <label className="flex items-start gap-2">
    <input
      type="radio"
      name="right"
      className="mt-1 size-4 shrink-0 accent-accent"
      checked={checked}
      onChange={onChoose}
    />
    {children}
  </label>
)

export const ResolveDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { session, numbers, live } = useStage()
  const [chosen, setChosen] = useState<string>()
  const [words, setWords] = useState('')
  const answer = chosen === elsewhere ? words : (chosen ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<Accepted>('POST', `${sessionPath(id)}/resolve`, { answer }),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  const choice = (value: string) => ({ checked: chosen === value, onChoose: () => setChosen(value) })
  return (
    <Dialog title="What was the right answer?" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <fieldset className="space-y-2">
          <legend className="label">This counts for the track record of every model at the table</legend>
          {[...campsById(session).values()].map(camp => (
            <Choice key={camp.id} {...choice(camp.id)}>
              <CampMark index={numbers.get(camp.id) ?? 0} />
              <span className="said">{camp.label}</span>
            </Choice>
          ))}
          <Choice {...choice(elsewhere)}>Another answer</Choice>
        </fieldset>
        {chosen === elsewhere && (
          <TextField
            label="The right answer"
            value={words}
            required
            hint={session.question.format === 'open' ? 'If nobody had it, write “none”.' : undefined}
            onChange={change => setWords(change.target.value)}
          />
        )}
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
