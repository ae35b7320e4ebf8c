/** Who sees the pictures of a question: decided when a seat is taken, and kept in the log. */
import type { Seat } from '../core/log/event.ts'
import { picturesIn } from '../core/question/picture.ts'
import type { Question } from '../core/question/question.ts'
import { unseenNote } from '../core/wording/picture-words.ts'
import { seesByName } from '../providers/catalogue/sees.ts'
import type { Provider } from '../providers/provider.ts'
import type { Reach } from './reach.ts'

/** Agents and the built-in model take text only, whatever their model is called. */
const takesText = ({ id, subscription }: Provider): boolean => id === 'house' || subscription === true

interface Looking {
  readonly provider: Provider
  readonly model: string
  /** What was said of the seat. */
  readonly wish: { readonly sees?: boolean | undefined }
}

type Looker = Pick<Seat, 'name' | 'sees'>

/** The names of seats that probably can't see the pictures. */
export const unseenBy = (seats: readonly Looker[]): string[] =>
  seats.filter(({ sees }) => sees === false).map(({ name }) => name)

/** Said before anybody is asked. */
export const unseenNotes = (seats: readonly Looker[]): string[] => {
  const blind = unseenBy(seats)
  return blind.length > 0 ? [unseenNote(blind)] : []
}

/** Undefined if there is nothing to see. */
export const sightOf = (
  { provider, model, wish }: Looking,
  { attachments }: Pick<Question, 'attachments'>,
  { catalogue }: Pick<Reach, 'catalogue'>,
): boolean | undefined => {
  const pictures = picturesIn(attachments)
  if (pictures.length === 0) return undefined
  if (takesText(provider)) return false
  const { pictureMedia } = provider
  if (pictureMedia && !pictures.every(({ media }) => pictureMedia.includes(media))) return false
  return wish.sees ?? provider.known(model).sees ?? seesByName(model, catalogue)
}
