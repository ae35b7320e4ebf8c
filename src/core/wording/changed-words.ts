/** Who changed its mind, in one sentence beside the verdict: "dune changed its mind, citing birch." */
import { type Session, seatOf } from '../log/state.ts'
import { verdictOf } from '../verdict/verdict.ts'
import { listed } from './numbers.ts'
import { seatCount } from './people-words.ts'

/** More names than this are a number. */
const mostNames = 4

/**
 * Only those whose quoted words were found are named as a cause. Undefined if nobody could change its mind: no open round was
 * counted, texts take no sides, and a transcript lacks its earlier rounds.
 */
export const changedSentence = (session: Session): string | undefined => {
  const { ledger, final } = verdictOf(session)
  if (session.imported || session.question.format === 'text' || !final || final.round === 0) return undefined
  const bySeat = Map.groupBy(ledger, ({ seat }) => seat)
  const seats = [...bySeat.keys()]
  const name = (seat: string): string => seatOf(session, seat).name
  const cited = (seat: string): string | undefined => {
    const credit = bySeat.get(seat)?.findLast(flip => flip.credit?.verified)?.credit
    return credit ? `citing ${name(credit.seat)}` : undefined
  }
  const [only] = seats
  if (only === undefined) return `No ${seatCount(session.seats, 1).slice(2)} changed its mind.`
  if (seats.length === 1)
    return `${[`${name(only)} changed its mind`, cited(only)].filter(Boolean).join(', ')}.`
  const many = `${seats.length} of ${seatCount(session.seats, session.seats.length)} changed their minds`
  if (seats.length > mostNames) return `${many}.`
  const named = seats.map(seat => [name(seat), cited(seat) && `(${cited(seat)})`].filter(Boolean).join(' '))
  return `${many}: ${listed(named)}.`
}
