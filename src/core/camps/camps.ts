/**
 * Camps: seats whose headlines assert the same thing.
 * Closed formats are grouped by value. Open answers are grouped by the moderator's labels, and then each
 * membership is checked: by its label alone, an opposite stance on the same topic could slip in.
 */

import type { Round, Session } from '../log/state.ts'
import { valueText } from '../wording/values.ts'
import {
  answerAt,
  type Camp,
  type CampDraft,
  emptied,
  filled,
  type Grouped,
  type Grouping,
  givenIn,
} from './camp.ts'
import { openCamps } from './open-camps.ts'

/** On a log scale, estimates within a tenth of a camp's first value are the same estimate. */
export const sameMagnitude = (first: number, second: number): boolean =>
  first > 0 && second > 0 && Math.max(first, second) / Math.min(first, second) <= 1.1 + 1e-9

/**
 * Equal values are one camp. On a log scale the camps of earlier rounds come first, and new camps start from the
 * smallest value: no seat changes camps because a neighbour moved or because seats are listed in another order.
 */
const byValue = (session: Session, round: Round, earlier: readonly Grouped[]): Camp[] => {
  const { question } = session
  const log = question.format === 'number' && question.scale === 'log'
  const given = givenIn(session, round)
  if (log) given.sort((one, other) => (one.answer.number ?? 0) - (other.answer.number ?? 0))
  const camps: CampDraft[] = log ? emptied(earlier) : []
  const founded = new Map(camps.map(camp => [camp, answerAt(session, camp.exemplar)?.number ?? 0]))
  for (const { seat, answer } of given) {
    const id = valueText(question, answer)
    const value = answer.number ?? 0
    const home = camps.find(camp => camp.id === id || (log && sameMagnitude(founded.get(camp) ?? 0, value)))
    if (home) home.seats.push(seat)
    else {
      const exemplar = `${seat}@${round.index}`
      const camp = { id, label: id, exemplar, headline: answer.headline, seats: [seat], qualified: [] }
      camps.push(camp)
      founded.set(camp, value)
    }
  }
  return filled(session, camps)
}

/** Kept for each list of rounds, because protocols ask for it after every event. */
const remembered = new WeakMap<readonly Round[], Map<string, Grouping>>()

/** The camps of a round, and what must still be asked before they are final. */
export const groupingOf = (session: Session, round: Round): Grouping => {
  const key = `${round.index} ${session.stopped !== undefined}`
  const known = remembered.get(session.roundsSoFar) ?? new Map<string, Grouping>()
  remembered.set(session.roundsSoFar, known)
  const grouping = known.get(key) ?? computeGrouping(session, round)
  known.set(key, grouping)
  return grouping
}

const computeGrouping = (session: Session, round: Round): Grouping => {
  const earlier = session.roundsSoFar
    .filter(one => one.index < round.index)
    .map(one => ({ round: one, camps: groupingOf(session, one).camps }))
  const { format } = session.question
  if (format === 'open') return openCamps(session, round, earlier)
  // Texts aren't votes: nobody is asked which of them say the same.
  if (format === 'text') return openCamps({ ...session, moderator: null }, round, earlier)
  const camps = byValue(session, round, earlier)
  return { camps, by: 'value', contested: false, unplaced: [], pending: [], compatible: [], unrelated: [] }
}

/** The camps are final: nothing about them must still be asked. */
export const isGrouped = (grouping: Grouping): boolean =>
  grouping.unplaced.length === 0 && grouping.pending.length === 0

/** The camp's id for each seat that stands in one. */
export const campIds = (session: Session, round: Round): Map<string, string> =>
  new Map(groupingOf(session, round).camps.flatMap(camp => camp.seats.map(seat => [seat, camp.id])))

export const campOfSeat = (grouping: Grouping, seat: string): Camp | undefined =>
  grouping.camps.find(camp => camp.seats.includes(seat))
