/** What a test of foreign text runs, and sessions in which everything is such a text. */
import { table } from '../contracts/core-testing.ts'

export interface ForeignReader {
  readonly name: string
  /** May throw what it throws for such a text: only the time counts. */
  read(text: string): unknown
  /** What leads a pattern of this function to where it repeats. */
  readonly beginnings: readonly string[]
}

export const reads = (
  name: string,
  read: (text: string) => unknown,
  ...beginnings: string[]
): ForeignReader => ({ name, read, beginnings })

/** As a stream in small pieces: what is read again with each piece takes time that grows with the square. */
export const pushed = (text: string, push: (piece: string) => void): void => {
  for (let at = 0; at < text.length; at += 4) push(text.slice(at, at + 4))
}

/** A session in which everything that a seat may write is the text. */
export const sessionOf = (text: string) => {
  const credit = { seat: 's1', quote: text, verified: true }
  const points = [{ ...credit, judgement: 'holds' as const, why: text }]
  const answer = { headline: text, reasoning: text, wouldChangeMind: text, reading: text, points }
  return table({ seats: 3 })
    .round(0, [answer, answer, { ...answer, headline: `Not ${text}` }])
    .round(1, [
      answer,
      { ...answer, decision: 'change', reason: 'other', credit },
      { absent: 'abstained', words: text },
    ])
    .and({
      type: 'report-written',
      by: 'moderator',
      report: { answer: text, summary: text, counterpoint: text },
    })
}
