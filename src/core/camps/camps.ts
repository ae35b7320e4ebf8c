/**
 * Camps: seats whose headlines assert the same thing.
 * Closed formats are grouped by value. Open answers are grouped by the moderator's labels, and then
 * each membership is checked: a label alone would let an opposite stance on the same topic slip in.
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
 * Equal values are one camp. On a log scale the camps of earlier rounds come first, and new ones are
 * founded from the smallest value up: neither a neighbour's change nor the order of the seats moves anybody.
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

/** The last grouping of each list of rounds: protocols ask for it after every event. */
const remembered = new WeakMap<readonly Round[], Map<string, Grouping>>()

/** The camps of a round, and what must still be asked before they are final. */
export const groupingOf = (session: Session, round: Round): Grouping => {
  const key = `${round.index} ${session.stopped !== undefined}`
  const known = remembered.get(session.roundsSoFar) ?? new Map<string, Grouping>()
  remembered.set(session.roundsSoFar, known)
  const grouping = known.get(key) ?? groupAfresh(session, round)
  known.set(key, grouping)
  return grouping
}

const groupAfresh = (session: Session, round: Round): Grouping => {
  const earlier = session.roundsSoFar
    .filter(one => one.index < round.index)
    .map(one => ({ round: one, camps: groupingOf(session, one).camps }))
  if (session.question.format === 'open') return openCamps(session, round, earlier)
  const camps = byValue(session, round, earlier)
  return { camps, by: 'value', contested: false, unplaced: [], pending: [] }
}

/** The camps are final: nothing about them is still to be asked. */
export const isGrouped = (grouping: Grouping): boolean =>
  grouping.unplaced.length === 0 && grouping.pending.length === 0

export const campOfSeat = (grouping: Grouping, seat: string): Camp | undefined =>
  grouping.camps.find(camp => camp.seats.includes(seat))
