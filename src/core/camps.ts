/**
 * Camps: seats whose headlines assert the same thing.
 * Closed formats are grouped by value. Open answers are grouped by the moderator's labels, and then
 * each membership is checked: a label alone would let an opposite stance on the same topic slip in.
 */
import type { Answer } from './answer.ts'
import { type Camp, type Grouping, givenIn } from './camp.ts'
import { openCamps } from './open-camps.ts'
import type { Question } from './question.ts'
import type { Round, Session } from './state.ts'

/** A number without float noise, so that 0.1 + 0.2 and 0.3 are one camp. */
const tidy = (value: number): number => Number(value.toPrecision(9))

export const numberText = (value: number, unit?: string): string =>
  `${tidy(value).toLocaleString('en-US', { maximumFractionDigits: 9, useGrouping: Math.abs(value) >= 10_000 })}${unit ? ` ${unit}` : ''}`

/** The value of a closed answer in words; two equal texts are one camp. */
export const valueText = (question: Question, answer: Answer): string => {
  switch (question.format) {
    case 'choice':
      return answer.choice ?? ''
    case 'ranking':
      return (answer.ranking ?? []).join(' > ')
    case 'number':
      return numberText(answer.number ?? Number.NaN, question.unit)
    case 'open':
      return answer.headline
    default:
      return question.format satisfies never
  }
}

/** On a log scale, estimates within a tenth of a camp's first value are the same estimate. */
const sameMagnitude = (first: number, second: number): boolean =>
  first > 0 && second > 0 && Math.max(first, second) / Math.min(first, second) <= 1.1

const byValue = (session: Session, round: Round): Camp[] => {
  const { question } = session
  const camps: { camp: Camp; value: number }[] = []
  for (const { seat, answer } of givenIn(session, round)) {
    const text = valueText(question, answer)
    const value = answer.number ?? 0
    const home = camps.find(
      one => one.camp.id === text || (question.scale === 'log' && sameMagnitude(one.value, value)),
    )
    if (home) home.camp = { ...home.camp, seats: [...home.camp.seats, seat] }
    else {
      const exemplar = `${seat}@${round.index}`
      const camp: Camp = {
        id: text,
        label: text,
        exemplar,
        headline: answer.headline,
        seats: [seat],
        qualified: [],
      }
      camps.push({ camp, value })
    }
  }
  return camps.map(({ camp }) => camp)
}

/** The camps of all earlier rounds: a camp keeps its id, label and exemplar for the whole session. */
const campsBefore = (session: Session, round: Round): Camp[] => {
  const earlier = session.roundsSoFar.filter(candidate => candidate.index < round.index)
  const known = new Map(earlier.flatMap(one => groupingOf(session, one).camps).map(camp => [camp.id, camp]))
  return [...known.values()]
}

/** The last grouping of each list of rounds: protocols ask for it after every event. */
const remembered = new WeakMap<readonly Round[], Map<string, Grouping>>()

/** The camps of a round, and what must still be asked before they are final. */
export const groupingOf = (session: Session, round: Round): Grouping => {
  if (session.question.format !== 'open') {
    return { camps: byValue(session, round), by: 'value', contested: false, unplaced: [], pending: [] }
  }
  const key = `${round.index} ${session.stopped !== undefined}`
  const known = remembered.get(session.roundsSoFar) ?? new Map<string, Grouping>()
  remembered.set(session.roundsSoFar, known)
  const grouping = known.get(key) ?? openCamps(session, round, campsBefore(session, round))
  known.set(key, grouping)
  return grouping
}

/** The camps are final: nothing about them is still to be asked. */
export const isGrouped = (grouping: Grouping): boolean =>
  grouping.unplaced.length === 0 && grouping.pending.length === 0

export const campOfSeat = (grouping: Grouping, seat: string): Camp | undefined =>
  grouping.camps.find(camp => camp.seats.includes(seat))
