/** How much an exhibit holds, in words. */
import type { Attachment } from '../question/question.ts'
import { counted } from './numbers.ts'
import { pixelsText } from './picture-words.ts'

/** "12 pages", "3 sheets", "1,200 characters", "640 × 480 pixels". */
export const exhibitSize = ({
  media,
  places = [],
  text,
  width,
  height,
}: Pick<Attachment, 'media' | 'places' | 'text' | 'width' | 'height'>): string => {
  if (width !== undefined && height !== undefined) return pixelsText(width, height)
  if (places.length === 0) return counted(text.length, 'character')
  return counted(places.length, media === 'application/pdf' ? 'page' : 'sheet')
}
