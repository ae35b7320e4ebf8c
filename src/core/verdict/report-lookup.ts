/** Looks up what a report says: figures, quotations, and what it says of seats. What isn't there is turned down. */
import type { Session } from '../log/state.ts'
import { claimProblems, speakersIn } from './report-claims.ts'
import { figureProblems } from './report-figures.ts'
import { movedBy } from './report-moves.ts'
import { isQuoteOf, notIts, quotationProblems, quotes, seatCalled } from './report-quotes.ts'

/** Words that the moderator attributes to a seat, as it named the seat. */
export interface Attribution {
  readonly seat: string
  readonly quote: string
}

/** Patterns take their time on each sentence, so a report has an end. */
const longestReport = 30_000

const attributionProblems = (session: Session, attributions: readonly Attribution[]): string[] =>
  attributions.flatMap(({ seat: said, quote }) => {
    const seat = seatCalled(session, said)
    if (!seat) return [`there is no seat ${JSON.stringify(said.slice(0, 40))}`]
    return isQuoteOf(session, seat.id, quote) ? [] : [notIts(seat.alias, quote)]
  })

/** What is wrong with the prose of a report, whoever wrote it. `text` has its placeholders filled in. */
export const proseProblems = (session: Session, text: string): string[] =>
  text.length > longestReport
    ? [`it is longer than ${longestReport} characters`]
    : [...figureProblems(session, text), ...quotationProblems(session, text), ...claimProblems(session, text)]

/** A seat that is said to have argued something needs words that prove it: in a reason, in the prose, or as a credit. */
export const unprovenSpeakers = (
  session: Session,
  text: string,
  attributions: readonly Attribution[],
): string[] => {
  const proven = new Set([
    ...attributions.flatMap(({ seat }) => seatCalled(session, seat)?.id ?? []),
    ...movedBy(session).keys(),
    ...[...movedBy(session).values()].flatMap(by => [...by]),
  ])
  return speakersIn(session, text.slice(0, longestReport))
    .filter(seat => !proven.has(seat) && !quotes(session, seat, text))
    .map(seat => {
      const { alias } = session.seats.find(({ id }) => id === seat)!
      return `it attributes a point to Seat ${alias}, and no words of Seat ${alias} are quoted: quote them in a reason, or leave the seat out`
    })
}

export const lookupProblems = (
  session: Session,
  text: string,
  attributions: readonly Attribution[],
): string[] => [...proseProblems(session, text), ...attributionProblems(session, attributions)]
