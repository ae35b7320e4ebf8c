/** What a question gets if no table is saved as the default: how that choice is called, and what it means. */
import type { ModelReply } from '../../../api/index.ts'
import type { SeatInput } from '../../../core/question/seat-input.ts'

const all = new Intl.ListFormat('en')

interface TableWords {
  readonly label: string
  readonly hint: string
}

const either = 'Roundtable seats models that are ready, or you choose them each time.'

/** `now` is who would sit there, undefined while it loads; `saved` if a table is the default, and hides who would. */
export const tableWords = (
  now: readonly SeatInput[] | undefined,
  saved: boolean,
  models: readonly ModelReply[],
): TableWords => {
  if (saved) return { label: 'No table of your own', hint: either }
  if (!now) return { label: 'Automatic', hint: either }
  if (now.length === 0)
    return {
      label: 'None: choose each time',
      hint: 'No table is chosen yet. Save a table when you ask, and choose it here.',
    }
  const names = now.map(seat => {
    const { model, name } = typeof seat === 'string' ? { model: seat } : seat
    return name ?? models.find(({ id }) => id === model)?.name ?? model
  })
  return { label: 'Automatic', hint: `Automatic means ${all.format(names)} now.` }
}
