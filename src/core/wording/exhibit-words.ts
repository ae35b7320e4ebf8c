/** How much an exhibit holds, in words. */
import type { Attachment } from '../question/question.ts'
import { counted } from './numbers.ts'

/** "12 pages", "3 sheets", "1,200 characters". */
export const exhibitSize = ({
  media,
  places = [],
  text,
}: Pick<Attachment, 'media' | 'places' | 'text'>): string => {
  if (places.length === 0) return counted(text.length, 'character')
  return counted(places.length, media === 'application/pdf' ? 'page' : 'sheet')
}
