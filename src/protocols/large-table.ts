/** Large tables: nothing that anybody reads grows with the table, so calls and tokens grow in step with it. */
import { groupingOf } from '../core/camps/camps.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'

/** From this many seats on a few speak for the rest, and texts are summed up in parts. */
const largeTable = 20
/** Answers, or headlines, that the moderator reads in one call. */
export const batchSize = 25
export const mostDelegates = 16
/** Camps that have a delegate whatever their size. */
const mostCamps = 12

export const isLarge = ({ seats }: Pick<Session, 'seats'>): boolean => isLargeCount(seats.length)

export const isLargeCount = (seats: number): boolean => seats >= largeTable

export const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, batch) =>
    items.slice(batch * batchSize, (batch + 1) * batchSize),
  )

/** By the size of its camp, a camp's next delegate speaks for this many seats. */
const weight = (size: number, delegates: number): number => size / (delegates + 1)

/** How many speak for each camp: one each for the largest, the rest in proportion. */
const delegations = (sizes: readonly number[]): number[] => {
  const counts = sizes.map((_, index): number => (index < mostCamps ? 1 : 0))
  const seats = Math.min(
    mostDelegates,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  for (let given = counts.filter(count => count > 0).length; given < seats; given++) {
    const open = sizes.map((size, index) => (counts[index]! < size ? weight(size, counts[index]!) : 0))
    const next = open.indexOf(Math.max(...open))
    counts[next] = counts[next]! + 1
  }
  return counts
}

const remembered = new WeakMap<Round, ReadonlySet<string>>()

/** Who speaks for the camps of a closed round in the round after it; the others vote again. */
export const delegatesAfter = (session: Session, round: Round): ReadonlySet<string> => {
  const known = remembered.get(round)
  if (known) return known
  const camps = [...groupingOf(session, round).camps].sort(
    (one, other) => other.seats.length - one.seats.length,
  )
  const counts = delegations(camps.map(camp => camp.seats.length))
  const delegates = new Set(
    camps.flatMap((camp, index) =>
      shuffled(camp.seats, `${session.seed} delegates ${round.index}`).slice(0, counts[index]),
    ),
  )
  remembered.set(round, delegates)
  return delegates
}

/** Whose answers of a round are read: those of all, or of those who spoke for them. */
export const speakersIn = (session: Session, index: number): string[] => {
  const round = roundAt(session, index)
  const before = roundAt(session, index - 1)
  const answered = session.seats.map(({ id }) => id).filter(id => answerIn(round, id))
  if (!before || !isLarge(session)) return answered
  const delegates = delegatesAfter(session, before)
  const spoke = answered.filter(id => delegates.has(id))
  return spoke.length > 0 ? spoke : answered
}

/** The answers of a round in the parts that the moderator sums up one by one; each a mixed sample. */
export const digestBatches = (session: Session, index: number): string[][] =>
  batchesOf(shuffled(speakersIn(session, index), `${session.seed} digest ${index}`))
