/** The letters of a book, as their reader gets them: the last version of each, in an order to read them in. */
import type { Letter } from '../core/opening.ts'
import type { Answer } from '../core/question.ts'
import { answerIn, type Session } from '../core/session.ts'
import { verdictOf } from './verdict.ts'

/** A letter in its book, with what it took from others. */
export interface BookLetter {
  readonly seat: string
  readonly from: string
  readonly model: string
  readonly maker?: string
  readonly text: string
  /** What the letter says, in one sentence. */
  readonly headline: string
  readonly language: string | null
  readonly rewritten: boolean
  /** Seats whose letters gave it an idea, as it says itself and code found in their words. */
  readonly drawsOn: readonly string[]
}

const answersOf = ({ roundsSoFar }: Session, seat: string, last: number): Answer[] =>
  roundsSoFar.flatMap(round => (round.index <= last ? (answerIn(round, seat) ?? []) : []))

const drawnFrom = (answers: readonly Answer[]): string[] => [
  ...new Set(
    answers.flatMap(({ points = [], credit }) =>
      [...points.filter(({ moved }) => moved), ...(credit ? [credit] : [])]
        .filter(({ verified }) => verified)
        .map(({ seat }) => seat),
    ),
  ),
]

/** Who is mentioned in others' comments, and how often: a letter that many speak of is worth reading early. */
const timesQuoted = (session: Session, last: number): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { id } of session.seats)
    for (const { points = [] } of answersOf(session, id, last))
      for (const { seat, verified } of points) if (verified) counts.set(seat, (counts.get(seat) ?? 0) + 1)
  return counts
}

/** A letter comes after those that it draws on; among the others, the one that is quoted most comes first. */
const inReadingOrder = (
  letters: readonly BookLetter[],
  quoted: ReadonlyMap<string, number>,
): readonly BookLetter[] => {
  const left = [...letters]
  const order: BookLetter[] = []
  const unread = ({ seat, drawsOn }: BookLetter): number =>
    left.filter(other => other.seat !== seat && drawsOn.includes(other.seat)).length
  while (left.length > 0) {
    const next = left.reduce((best, one) => {
      const difference =
        unread(one) - unread(best) || (quoted.get(best.seat) ?? 0) - (quoted.get(one.seat) ?? 0)
      return difference < 0 ? one : best
    })
    order.push(next)
    left.splice(left.indexOf(next), 1)
  }
  return order
}

/** The letters of a book in their reading order. A seat that wrote none isn't among them. */
export const lettersIn = (session: Session): readonly BookLetter[] => {
  const last = verdictOf(session).final?.round ?? -1
  const letters = session.seats.flatMap(({ id, name, model, maker }): BookLetter[] => {
    const answers = answersOf(session, id, last)
    const now = answers.at(-1)
    if (!now?.text) return []
    return [
      {
        seat: id,
        from: name,
        model,
        ...(maker !== undefined && { maker }),
        text: now.text,
        headline: now.headline,
        language: now.language,
        rewritten: answers[0]?.text !== now.text,
        drawsOn: drawnFrom(answers),
      },
    ]
  })
  return inReadingOrder(letters, timesQuoted(session, last))
}

/** A letter is cut at this length when it is handed on. */
const longestHandedOn = 6_000

/** The letters as other sessions get them. */
export const lettersToHandOn = (session: Session): Letter[] =>
  lettersIn(session).map(({ seat, from, model, text }) => ({
    id: `${session.id}/${seat}`,
    book: session.id,
    from,
    model,
    writtenAt: session.openedAt,
    text: text.slice(0, longestHandedOn),
  }))

/** The letters that a seat of this session read before its first answer. */
export const lettersReadBy = ({ letters }: Session, seat: string): readonly Letter[] => {
  const ids = letters && Object.hasOwn(letters.bySeat, seat) ? letters.bySeat[seat]! : []
  return ids.flatMap(id => letters?.given.find(letter => letter.id === id) ?? [])
}
