/** Who can moderate, to choose from. */
import type { ModelReply } from '../../api/index.ts'

/** Undefined: it is chosen when the question is asked. Null: nobody moderates. */
type Moderator = string | null | undefined

const nobody = 'none'

export const moderatorOptions = (models: readonly ModelReply[]) => [
  { value: '', label: 'Automatic' },
  { value: nobody, label: 'None: code writes the report' },
  ...models.filter(({ configured }) => configured).map(({ id, name }) => ({ value: id, label: name })),
]

export const moderatorValue = (moderator: Moderator): string =>
  moderator === null ? nobody : (moderator ?? '')

export const moderatorFrom = (value: string): Moderator => (value === nobody ? null : value || undefined)
