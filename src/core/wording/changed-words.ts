/** Who changed its mind, in one sentence beside the verdict: "dune changed its mind, citing birch." */
import { answerIn, roundAt, type Session, seatOf } from '../log/state.ts'
import { disagreeing, verdictOf } from '../verdict/verdict.ts'
import { listed } from './numbers.ts'
import { seatCount } from './people-words.ts'

/** More names than this are a number. */
const mostNames = 4

/** "; 2 adjusted their numbers": another number of the same camp isn't a change of mind, and a reader sees it move. */
const adjustedWords = (session: Session, last: number, changed: readonly string[]): string => {
  if (session.question.format !== 'number') return ''
  const [first, final] = [roundAt(session, 0), roundAt(session, last)]
  const count = session.seats.filter(({ id }) => {
    const [before, after] = [answerIn(first, id)?.number, answerIn(final, id)?.number]
    return !changed.includes(id) && before !== undefined && after !== undefined && before !== after
  }).length
  if (count === 0) return ''
  return `; ${count} adjusted ${count === 1 ? 'its number' : 'their numbers'}`
}

/** Without this, a camp grows by more seats than changed their minds. */
const laterWords = (session: Session, last: number): string => {
  const names = session.seats
    .filter(({ id }) => !answerIn(roundAt(session, 0), id) && answerIn(roundAt(session, last), id))
    .map(({ name }) => name)
  if (names.length === 0) return ''
  const who = names.length > mostNames ? `${names.length} seats` : listed(names)
  return ` ${who} answered only after the sealed round.`
}

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
  const adjusted = adjustedWords(session, final.round, seats)
  const later = laterWords(session, final.round)
  const others = new Set(disagreeing(session))
  const [only] = seats
  if (only === undefined)
    return `No ${seatCount(session.seats, 1).slice(2)} changed its mind${adjusted}.${later}`
  if (seats.length === 1)
    return `${[`${name(only)} changed its mind`, cited(only), others.has(only) && 'and still disagrees'].filter(Boolean).join(', ')}${adjusted}.${later}`
  const many = `${seats.length} of ${seatCount(session.seats, session.seats.length)} changed their minds`
  const named = seats.map(seat => {
    const notes = [cited(seat), others.has(seat) && 'still disagrees'].filter(Boolean).join('; ')
    return notes ? `${name(seat)} (${notes})` : name(seat)
  })
  return `${many}${seats.length > mostNames ? '' : `: ${listed(named)}`}${adjusted}.${later}`
}
