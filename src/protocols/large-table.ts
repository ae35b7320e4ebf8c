/** Large tables: what a single call reads doesn't grow with the table, so tokens grow only with the number of seats. */
import { groupingOf } from '../core/camps/camps.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/log/state.ts'
import { shuffled } from '../core/random.ts'

/** From this many seats on, a few speak for the others, and digests are written in parts. */
const largeTable = 20
/** The most answers or headlines that the moderator reads in one call. */
export const batchSize = 25
export const mostDelegates = 16
/** This many camps, the largest, have a delegate each, whatever their size. */
const mostCamps = 12

export const isLarge = ({ seats }: Pick<Session, 'seats'>): boolean => isLargeCount(seats.length)

export const isLargeCount = (seats: number): boolean => seats >= largeTable

export const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, batch) =>
    items.slice(batch * batchSize, (batch + 1) * batchSize),
  )

/** How many seats each delegate speaks for if the camp gets one more. */
const weight = (size: number, delegates: number): number => size / (delegates + 1)

/** The delegates of each camp: one for each of the largest camps, the rest in proportion to size. */
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

/** Who speaks for the camps of a closed round in the next one. The others only vote. */
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

/** Whose answers of a round are read: everybody's, or those of the delegates. */
export const speakersIn = (session: Session, index: number): string[] => {
  const round = roundAt(session, index)
  const before = roundAt(session, index - 1)
  const answered = session.seats.map(({ id }) => id).filter(id => answerIn(round, id))
  if (!before || !isLarge(session)) return answered
  const delegates = delegatesAfter(session, before)
  const spoke = answered.filter(id => delegates.has(id))
  return spoke.length > 0 ? spoke : answered
}

/** The seats whose answers go into each part of a digest. Every part is a random sample. */
export const digestBatches = (session: Session, index: number): string[][] =>
  batchesOf(shuffled(speakersIn(session, index), `${session.seed} digest ${index}`))
