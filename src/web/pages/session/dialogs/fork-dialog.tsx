/** The same question to another table, or under another protocol. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { forkSession } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, inputClass } from '../../../components/field.tsx'
import { Problem } from '../../../components/notice.tsx'
import { useProtocols } from '../../../components/protocols.ts'
import { useStage } from '../stage.ts'

export const ForkDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { session } = useStage()
  const protocols = useProtocols()
  const navigate = useNavigate()
  const [seats, setSeats] = useState(() => session.seats.map(seat => seat.model).join('\n'))
  const [protocol, setProtocol] = useState(session.protocol)
  const [names, setNames] = useState(session.names)
  const listed = seats.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trim()]))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => forkSession(id, { seats: listed, protocol, names }),
    onSuccess: opened => navigate({ to: '/s/$id', params: { id: opened.id } }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title="Ask another table" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field label="Seats, one model per line">
          {field => (
            <textarea
              id={field}
              rows={Math.min(10, listed.length + 2)}
              value={seats}
              onChange={change => setSeats(change.target.value)}
              className={`${inputClass} font-mono text-sm`}
            />
          )}
        </Field>
        <Field label="Protocol" hint={protocols.find(one => one.id === protocol)?.summary}>
          {field => (
            <select
              id={field}
              value={protocol}
              onChange={change => setProtocol(change.target.value)}
              className={inputClass}
            >
              {protocols.map(one => (
                <option key={one.id} value={one.id}>
                  {one.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={names === 'shown'}
            onChange={change => setNames(change.target.checked ? 'shown' : 'hidden')}
          />
          Seats see each other’s names
        </label>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || listed.length === 0}>
            Ask
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
