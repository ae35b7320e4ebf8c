/** Asks a table for a new book of letters. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { letterTask } from '../../../core/letters/task.ts'
import { askTable, fetchLineups } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, inputClass, SelectField } from '../../components/field.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'

const usual = ''

export const AskForLetters = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const [about, setAbout] = useState('')
  const [sealed, setSealed] = useState(false)
  const [lineup, setLineup] = useState(usual)
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      askTable({
        question: letterTask(about),
        book: sealed ? { sealed: true } : {},
        ...(lineup !== usual && { lineup }),
      }),
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  const tables = (data?.lineups ?? []).filter(({ seats }) => seats.length > 0)
  return (
    <Dialog title="Ask for letters" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="text-soft">
          Each model writes a letter to its successor, reads the others’, and may rewrite its own.
        </p>
        <SelectField
          label="Who writes"
          value={lineup}
          options={[
            { value: usual, label: 'The default table' },
            ...tables.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={setLineup}
        />
        <Field label="What about (optional)">
          {id => (
            <textarea
              id={id}
              rows={3}
              value={about}
              maxLength={10_000}
              onChange={event => setAbout(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1 size-4 accent-accent"
            checked={sealed}
            onChange={event => setSealed(event.target.checked)}
          />
          <span>
            Seal the book
            <span className="block text-sm text-soft">
              Nobody but models reads it until you open it. Opening can’t be undone.
            </span>
          </span>
        </label>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isPending}>
            Ask
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
