/** What a seat is writing now, in one line: the same on every face. */
import type { Draft } from '../log/draft.ts'

/** Enough for a long sentence. */
const longest = 160

/** Where a sentence or a line begins; in scripts without spaces too. */
const beginning = /(?:[.!?][”"’')\]]*\s+|[。！？]\s*|\n\s*)(?=\S)/g

/** The sentence that is being written. A longer one is shown from a word on. */
export const sentenceAt = (text: string): string => {
  const tail = text.slice(-2 * longest).trimEnd()
  const last = [...tail.matchAll(beginning)].at(-1)
  const sentence = last ? tail.slice(last.index + last[0].length) : tail
  if (sentence.length <= longest && (last || text.length <= tail.length)) return sentence
  return `… ${sentence.slice(-longest).replace(/^\S*\s+/, '')}`
}

/** The headline once it comes; before that, the sentence that the seat is at. */
export const draftWords = ({ headline, text, reasoning, points }: Draft): string =>
  headline || sentenceAt(text || reasoning || points)

export const draftState = (draft: Draft): 'thinking' | 'weighing' | 'writing' | 'retrying' => {
  if (draft.retrying) return 'retrying'
  if (draft.headline || draft.text || draft.reasoning) return 'writing'
  return draft.points ? 'weighing' : 'thinking'
}
