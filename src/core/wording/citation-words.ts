/** Citations in words, the same on every face. */
import type { Citation } from '../question/citation.ts'
import type { Attachment } from '../question/question.ts'

export const citationsTitle = 'Cites'

/** "[1, p. 3]" */
export const citationMark = ({ exhibit, place }: Citation): string =>
  `[${place === undefined ? exhibit : `${exhibit}, ${place}`}]`

export const citationWords = (verified: boolean): string => (verified ? 'stands' : 'not found in the exhibit')

/** "[1, p. 3] lease.pdf, stands". */
export const citationHead = (citation: Citation, exhibits: readonly Attachment[]): string =>
  `${citationMark(citation)} ${exhibits[citation.exhibit - 1]?.name ?? ''}, ${citationWords(citation.verified)}`

/** "2 of 3 citations stand". */
export const countWords = (cited: number, standing: number): string =>
  `${standing} of ${cited} ${cited === 1 ? 'citation stands' : 'citations stand'}`
