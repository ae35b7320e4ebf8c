/** Which camps of a round are compatible: neither denies the other, and yet they aren't the same answer. */
import type { Relation } from '../log/event.ts'
import { answerIn, checkKey, type Round, roundAt, type Session } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import type { Camp, Grouping, PendingCheck } from './camp.ts'

/** So many camps, the largest, are compared with each other: fifteen pairs. */
const mostRelated = 6

type Checked = Round['checks'][string] | undefined

/** The seats that say this round what stands for the camp. */
const speakersOf = (round: Round, { seats, headline }: Camp): string[] =>
  seats.filter(seat => normalised(answerIn(round, seat)?.headline ?? '') === normalised(headline))

/** What a check found between two camps, now or when these headlines were first compared. */
const checkedIn = (session: Session, round: Round, one: Camp, other: Camp): Checked => {
  const found = (by: Camp, exemplar: string): Checked => {
    const split = by.exemplar.lastIndexOf('@')
    const first = roundAt(session, Number(by.exemplar.slice(split + 1)))
    return (
      first?.checks[checkKey(by.exemplar.slice(0, split), exemplar)] ??
      speakersOf(round, by)
        .map(seat => round.checks[checkKey(seat, exemplar)])
        .find(check => check !== undefined)
    )
  }
  return found(other, one.exemplar) ?? found(one, other.exemplar)
}

const isSame = (relation: Relation): boolean => relation === 'same' || relation === 'same with a caveat'

/** What is known about the camps of a round, and which pairs must still be compared. */
export const campRelations = (
  session: Session,
  round: Round,
  camps: readonly Camp[],
): Pick<Grouping, 'compatible' | 'unrelated'> & { readonly overlap: boolean } => {
  const largest = camps.toSorted((one, other) => other.seats.length - one.seats.length).slice(0, mostRelated)
  const compatible: [string, string][] = []
  const unrelated: PendingCheck[] = []
  let overlap = false
  for (const [at, one] of largest.entries()) {
    for (const other of largest.slice(at + 1)) {
      const check = checkedIn(session, round, one, other)
      const [seat] = speakersOf(round, other)
      if (check === undefined && seat !== undefined) unrelated.push({ seat, exemplar: one.exemplar })
      if (check === 'compatible') compatible.push([one.id, other.id])
      if (typeof check === 'string' && isSame(check)) overlap = true
    }
  }
  return { compatible, unrelated, overlap }
}
