/**
 * Camps: seats whose headlines assert the same thing.
 * Closed formats are grouped by value. Open answers are grouped by the moderator's labels, and then each
 * membership is checked: by its label alone, an opposite stance on the same topic could slip in.
 */

import type { Round, Session } from '../log/state.ts'
import { valueText } from '../wording/values.ts'
import { type Camp, type CampDraft, filled, foundedBy, type Grouping, givenIn } from './camp.ts'
import { closeIn, numberCamps } from './number-camps.ts'
import { openCamps } from './open-camps.ts'

/** Equal values are one camp. */
const byValue = (session: Session, round: Round): Camp[] => {
  const camps: CampDraft[] = []
  for (const given of givenIn(session, round)) {
    const id = valueText(session.question, given.answer)
    const home = camps.find(camp => camp.id === id)
    if (home) home.seats.push(given.seat)
    else camps.push(foundedBy(given, round, id))
  }
  return filled(session, camps)
}

/** Kept for each list of rounds, because protocols ask for it after every event. */
const remembered = new WeakMap<readonly Round[], Map<string, Grouping>>()

/** The camps of a round, and what must still be asked before they are final. */
export const groupingOf = (session: Session, round: Round): Grouping => {
  const key = `${round.index} ${session.stopped !== undefined} ${session.asLabelled === true}`
  const known = remembered.get(session.roundsSoFar) ?? new Map<string, Grouping>()
  remembered.set(session.roundsSoFar, known)
  const grouping = known.get(key) ?? computeGrouping(session, round)
  known.set(key, grouping)
  return grouping
}

/** Texts aren't votes: nobody asks which of them say the same, unless the asker wants to know. */
const ungrouped: Grouping = {
  camps: [],
  by: 'value',
  contested: false,
  unplaced: [],
  pending: [],
  compatible: [],
  unrelated: [],
}

const computeGrouping = (session: Session, round: Round): Grouping => {
  const earlier = session.roundsSoFar
    .filter(one => one.index < round.index)
    .map(one => ({ round: one, camps: groupingOf(session, one).camps }))
  const { format } = session.question
  if (format === 'open') return openCamps(session, round, earlier)
  if (format === 'text' && session.question.camps === 'intent') return openCamps(session, round, earlier)
  if (format === 'text') return ungrouped
  const isClose = format === 'number' ? closeIn(session, round) : undefined
  const camps = isClose ? numberCamps(session, round, earlier, isClose) : byValue(session, round)
  return { ...ungrouped, camps }
}

const views = new WeakMap<Session, Session>()

/**
 * The session with its labels taken for granted: the first pass is enough, and nothing is left to check. The table may go
 * on by it, but it is never counted by it.
 */
export const asLabelled = (session: Session): Session => {
  const view = views.get(session) ?? { ...session, asLabelled: true }
  views.set(session, view)
  return view
}

/** Every seat of the round is in a camp, though perhaps only by its label. */
export const isLabelled = (session: Session, round: Round): boolean =>
  isGrouped(groupingOf(asLabelled(session), round))

/** The camps are final: nothing about them must still be asked. */
export const isGrouped = (grouping: Grouping): boolean =>
  grouping.unplaced.length === 0 && grouping.pending.length === 0

/** The camp's id for each seat that stands in one. */
export const campIds = (session: Session, round: Round): Map<string, string> =>
  new Map(groupingOf(session, round).camps.flatMap(camp => camp.seats.map(seat => [seat, camp.id])))

export const campOfSeat = (grouping: Grouping, seat: string): Camp | undefined =>
  grouping.camps.find(camp => camp.seats.includes(seat))
