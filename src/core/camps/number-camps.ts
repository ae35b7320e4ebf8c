/** Camps of numbers: those that are close enough to the number that founded the camp. */

import type { Round, Session } from '../log/state.ts'
import { numbersText, numberText } from '../wording/values.ts'
import {
  answerAt,
  type Camp,
  type CampDraft,
  emptied,
  filled,
  foundedBy,
  type Grouped,
  givenIn,
} from './camp.ts'
import { isWithin, toleranceIn } from './tolerance.ts'

/** The rule of older rounds on a log scale: within a tenth of a camp's first value. */
const sameMagnitude = (first: number, second: number): boolean =>
  first > 0 && second > 0 && Math.max(first, second) / Math.min(first, second) <= 1.1 + 1e-9

/** Whether two numbers would be in one camp in a round. Undefined: only if they are equal. */
export const closeIn = (
  session: Session,
  round: Round,
): ((one: number, other: number) => boolean) | undefined => {
  const tolerance = toleranceIn(session, round)
  if (tolerance) return (one, other) => isWithin(tolerance, one, other)
  return session.question.scale === 'log' ? sameMagnitude : undefined
}

/** "80 to 100 km": a camp is called by the numbers that are in it now. */
const labelled = (session: Session, round: Round, camp: Camp): Camp => {
  const given = givenIn(session, round).filter(({ seat }) => camp.seats.includes(seat))
  const values = given.flatMap(({ answer }) => answer.number ?? [])
  return { ...camp, label: numbersText(Math.min(...values), Math.max(...values), session.question.unit) }
}

/**
 * The camps of earlier rounds come first, and new camps start from the smallest number: no seat changes camps because
 * a neighbour moved or because seats are listed in another order.
 */
export const numberCamps = (
  session: Session,
  round: Round,
  earlier: readonly Grouped[],
  isClose: (one: number, other: number) => boolean,
): Camp[] => {
  const given = givenIn(session, round).sort(
    (one, other) => (one.answer.number ?? 0) - (other.answer.number ?? 0),
  )
  const camps: CampDraft[] = emptied(earlier)
  const founded = new Map(camps.map(camp => [camp, answerAt(session, camp.exemplar)?.number ?? 0]))
  for (const one of given) {
    const value = one.answer.number ?? 0
    const id = numberText(value, session.question.unit)
    const home = camps.find(camp => camp.id === id || isClose(founded.get(camp) ?? 0, value))
    if (home) home.seats.push(one.seat)
    else {
      const camp = foundedBy(one, round, id)
      camps.push(camp)
      founded.set(camp, value)
    }
  }
  const all = filled(session, camps)
  return toleranceIn(session, round) ? all.map(camp => labelled(session, round, camp)) : all
}
