/** The tags of a session. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { tagSession } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Problem } from '../../components/notice.tsx'

interface TagsDialogProps {
  readonly id: string
  readonly tags: readonly string[]
  onClose(): void
}

export const TagsDialog = ({ id, tags, onClose }: TagsDialogProps) => {
  const queries = useQueryClient()
  const [text, setText] = useState(tags.join(', '))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const wanted = text.split(',').flatMap(tag => (tag.trim() === '' ? [] : [tag.trim()]))
      return tagSession(id, [...new Set(wanted)])
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title="Tags" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Tags"
          hint="With commas between them."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending}>
            Save
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
