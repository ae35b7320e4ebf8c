/** A field for a key. What was typed is gone as soon as it is saved. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'

interface KeyFormProps {
  readonly label: string
  readonly pending: boolean
  onSave(key: string): Promise<boolean>
  onCancel(): void
}

/** Not a password of this site: password managers should leave it alone. */
export const keyInput = { type: 'password', autoComplete: 'off', spellCheck: false } as const

export const KeyForm = ({ label, pending, onSave, onCancel }: KeyFormProps) => {
  const [key, setKey] = useState('')
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (await onSave(key)) setKey('')
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 grow basis-60">
        <TextField
          label={`API key of ${label}`}
          {...keyInput}
          value={key}
          onChange={event => setKey(event.target.value)}
        />
      </div>
      <Button type="submit" kind="primary" disabled={pending || key.trim() === ''}>
        {pending ? 'Saving…' : 'Save and test'}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </form>
  )
}
