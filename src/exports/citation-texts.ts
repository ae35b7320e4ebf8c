/** The citations of a session, as exports write them. */
import { citationHead } from '../core/wording/citation-words.ts'
import type { HandedInDocument, SessionDocument } from './document.ts'

interface CitationText {
  readonly head: string
  readonly words: string
}

/** The passages that an answer cites, and whether they stand. */
export const citationsOf = (
  { attachments }: SessionDocument,
  { citations = [] }: HandedInDocument & { status: 'given' },
): CitationText[] => citations.map(one => ({ head: citationHead(one, attachments), words: one.quote }))
