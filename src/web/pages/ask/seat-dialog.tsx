/** Edits a seat: gives it a brief, adds another seat of the same model, or removes it. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, inputClass } from '../../components/field.tsx'
import { type SeatForm, seatForm } from './form.ts'
import type { NamedSeat } from './seat-names.ts'

interface SeatDialogProps {
  readonly named: NamedSeat
  /** No seat, the changed seat, or the changed seat and another one. */
  onReplace(seats: readonly SeatForm[]): void
  onClose(): void
}

export const SeatDialog = ({ named, onReplace, onClose }: SeatDialogProps) => {
  const { seat, name } = named
  const [brief, setBrief] = useState(seat.brief ?? '')
  const done = (...seats: readonly SeatForm[]): void => {
    onReplace(seats)
    onClose()
  }
  const changed = { ...seat, brief }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    done(changed)
  }
  return (
    <Dialog title={name} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="font-mono text-sm break-all text-soft">{seat.model}</p>
        <Field label="Brief" hint="A role, a temperament or a field of expertise for this seat.">
          {id => (
            <textarea
              id={id}
              rows={3}
              value={brief}
              placeholder="You are the sceptic: look for what could go wrong."
              onChange={event => setBrief(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <p className="flex flex-wrap gap-2">
          <Button kind="danger" onClick={() => done()}>
            Remove
          </Button>
          <Button onClick={() => done(changed, seatForm({ model: seat.model }))}>Add another seat</Button>
          <Button type="submit" kind="primary" className="ml-auto">
            Done
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
