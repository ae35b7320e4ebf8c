/** A dialog with one field: saves what is written there, or shows the problem. */
import { type FormEvent, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { useMutation } from './mutation.ts'
import { Problem } from './notice.tsx'

interface FieldDialogProps {
  readonly title: string
  readonly label: string
  readonly hint: string
  /** What stands in the field at first. */
  readonly value?: string
  readonly required?: boolean
  /** The dialog closes when this is done. */
  save(text: string): Promise<unknown>
  onClose(): void
}

export const FieldDialog = (props: FieldDialogProps) => {
  const { title, label, hint, value = '', required = false, save, onClose } = props
  const [text, setText] = useState(value)
  const { mutate, error, isPending } = useMutation({ mutationFn: () => save(text), onSuccess: onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label={label}
          hint={hint}
          value={text}
          required={required}
          onChange={event => setText(event.target.value)}
        />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || (required && text.trim() === '')}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
