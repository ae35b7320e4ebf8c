/** The tags of a session. */
import { useQueryClient } from '@tanstack/react-query'
import { tagSession } from '../../api.ts'
import { FieldDialog } from '../../components/field-dialog.tsx'

interface TagsDialogProps {
  readonly id: string
  readonly tags: readonly string[]
  onClose(): void
}

const tagsIn = (text: string): string[] => [
  ...new Set(text.split(',').flatMap(tag => (tag.trim() === '' ? [] : [tag.trim()]))),
]

export const TagsDialog = ({ id, tags, onClose }: TagsDialogProps) => {
  const queries = useQueryClient()
  const save = async (text: string): Promise<void> => {
    await tagSession(id, tagsIn(text))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <FieldDialog
      title="Tags"
      label="Tags"
      hint="Separate tags with commas."
      value={tags.join(', ')}
      save={save}
      onClose={onClose}
    />
  )
}
