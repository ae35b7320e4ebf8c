/** Citations in words, the same on every face. */
import { type Citation, isInPicture, isUnsupported } from '../question/citation.ts'
import type { Attachment } from '../question/question.ts'

export const citationsTitle = 'Cites'

/** "[1, p. 3]"; a page that the seat found itself has no number. */
export const citationMark = ({ exhibit, place }: Citation): string =>
  `[${[exhibit ?? 'web', place].filter(part => part !== undefined).join(', ')}]`

type Found = Pick<Citation, 'verified' | 'address' | 'unreachable'>

/** "stands", "not found in the exhibit", "source not reachable (the server replied 404)". */
export const citationWords = ({ verified, address, unreachable }: Found): string => {
  if (verified) return 'stands'
  if (isInPicture({ address, unreachable })) return 'in a picture, not looked up'
  if (unreachable !== undefined) return `source not reachable (${unreachable})`
  return address === undefined ? 'not found in the exhibit' : 'not found in the source'
}

/** What is cited: the name of an exhibit, or the address of a source. */
export const citedName = ({ exhibit, address }: Citation, exhibits: readonly Attachment[]): string =>
  address ?? exhibits[(exhibit ?? 0) - 1]?.name ?? ''

/** The sign before it. */
export const citationSign = (found: Found): '✓' | '✗' | '○' => {
  if (found.verified) return '✓'
  return isUnsupported(found) ? '✗' : '○'
}

/** "[1, p. 3] lease.pdf, stands". */
export const citationHead = (citation: Citation, exhibits: readonly Attachment[]): string =>
  `${citationMark(citation)} ${citedName(citation, exhibits)}, ${citationWords(citation)}`

/** "2 of 3 citations stand". */
export const countWords = (cited: number, standing: number): string =>
  `${standing} of ${cited} ${cited === 1 ? 'citation stands' : 'citations stand'}`

/** "2 of the passages that it cites were not found": a change of mind that rests on them is to be read with care. */
export const unsupportedWords = (count: number): string =>
  count === 1
    ? 'a passage that it cites was not found'
    : `${count} of the passages that it cites were not found`
