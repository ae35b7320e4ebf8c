/** A fork in the middle: a copy of a log up to the close of a round, which goes on with what is said anew. */
import { UsageError } from '../core/errors.ts'
import { type BookMark, isSealedBook } from '../core/letters/book.ts'
import type { Happening, Seat, SessionEvent, SessionOpened } from '../core/log/event.ts'
import { sharedLog } from '../core/log/shared-log.ts'
import { stamped } from '../core/log/stamp.ts'
import { fold, type Session } from '../core/log/state.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { AskInput } from './ask-input.ts'
import { forkOf } from './fork.ts'
import { forkEstimateOf } from './fork-estimate.ts'
import type { Opening } from './opening.ts'
import type { Reach } from './reach.ts'
import { withoutUndefined } from './usual.ts'

/** What may change in the middle of a session. The question and what was said before can't. */
const changeable = [
  'seats',
  'lineup',
  'outside',
  'outsideDeadline',
  'temperature',
  'effort',
  'moderator',
  'protocol',
  'rounds',
  'names',
  'budget',
  'purses',
  'deadline',
  'patience',
  'signal',
] as const

const refuseOthers = (changes: Partial<AskInput>): void => {
  const other = Object.keys(changes).find(field => !(changeable as readonly string[]).includes(field))
  if (other === undefined) return
  throw new UsageError(
    `"${other}" can't change in the middle of a session. To change it, fork the session from the start, without a round.`,
  )
}

/** A model that sat at the table keeps its seat. Newcomers take the seats that became free, in their order. */
const seatsOf = (wanted: readonly Seat[], before: readonly Seat[]): Seat[] => {
  if (wanted.length !== before.length)
    throw new UsageError(
      `In the middle of a session a table keeps its number of seats: it has ${before.length}, and ${wanted.length} are named. To change that, fork the session from the start, without a round.`,
    )
  const left = [...wanted]
  const take = (index: number): Seat | undefined => (index < 0 ? undefined : left.splice(index, 1)[0])
  const kept = before.map(seat => take(left.findIndex(({ model }) => model === seat.model)))
  const names = new Set(kept.flatMap(seat => seat?.name ?? []))
  return before.map(({ id, alias }, index) => {
    const newcomer = kept[index] ?? left.shift()!
    const name = !kept[index] && names.has(newcomer.name) ? `${newcomer.name} (${alias})` : newcomer.name
    names.add(name)
    return { ...newcomer, id, alias, name }
  })
}

const openRoundsOf = ({ roundsSoFar }: Session): number => roundsSoFar.filter(({ sealed }) => !sealed).length

/** Rounds count from the beginning. Another protocol gets its usual number on top of those that were held. */
const roundsFor = (
  at: Session,
  opened: Pick<SessionOpened, 'rounds'>,
  { id, rounds }: Protocol,
  changes: Partial<AskInput>,
  isHeard: boolean,
): { readonly rounds: number; readonly wanted?: number } => {
  const held = openRoundsOf(at)
  const more = id !== at.protocol && changes.rounds === undefined
  const limit = more ? Math.min(rounds.most, held + rounds.usual) : opened.rounds
  if (!isHeard) return { rounds: limit }
  const wanted = held + 1
  if (wanted > (changes.rounds === undefined ? rounds.most : limit))
    throw new UsageError(
      'No round is left in which the new seat could speak. Fork at an earlier round, or allow more rounds.',
    )
  return { rounds: Math.max(limit, wanted), wanted }
}

/** The table from the fork on, as the event that goes there. */
const forkedOf = (
  at: Session,
  { opened }: Opening,
  changes: Partial<AskInput>,
  protocols: readonly Protocol[] | undefined,
): Happening & { type: 'session-forked' } => {
  const isSameTable = !changes.seats && changes.lineup === undefined && changes.outside === undefined
  const sat = seatsOf(opened.seats, at.seats)
  const seats = isSameTable && changes.temperature === undefined && !changes.effort ? at.seats : sat
  const isHeard = seats.some((seat, index) => seat.model !== at.seats[index]!.model)
  const { moderator, smallModerator, names, budget, deadline, patience } = opened
  const outsideDeadline = opened.outsideDeadline ?? at.outsideDeadline
  const purses = changes.purses ? opened.purses : at.purses
  return {
    type: 'session-forked',
    seats: [...seats],
    moderator,
    ...(smallModerator && { smallModerator }),
    protocol: opened.protocol,
    ...roundsFor(at, opened, protocolNamed(opened.protocol, protocols), changes, isHeard),
    names,
    ...(budget && { budget }),
    ...(purses && { purses }),
    deadline,
    ...(outsideDeadline !== undefined && { outsideDeadline }),
    ...(patience !== undefined && { patience }),
  }
}

/** If only the models are named, whoever holds a seat from outside stays. */
const withOutside = (changes: Partial<AskInput>, { seats }: Session): Partial<AskInput> => {
  const outside = seats.filter(seat => seat.outside).map(({ name }) => name)
  const names = changes.seats !== undefined || changes.lineup !== undefined
  return names && outside.length > 0 ? { outside, ...changes } : changes
}

/** Letters that are copied from an open book were open before. */
const openMark = ({ sealed: _sealed, ...mark }: BookMark): BookMark => mark

/** `settle` makes an opening of a request, as for any question. Throws UsageError if the session can't be forked there, or not so. */
export const forkAt = async (
  log: readonly SessionEvent[],
  round: number,
  wanted: Partial<AskInput>,
  reach: Pick<Reach, 'providers' | 'protocols'>,
  settle: (input: AskInput) => Opening | Promise<Opening>,
): Promise<Opening> => {
  const changes = withoutUndefined(wanted)
  refuseOthers(changes)
  if (isSealedBook(fold(log)))
    throw new UsageError(
      "The letters of a sealed book aren't copied. Open the book first, or fork it from the start, without a round.",
    )
  const at = fold(sharedLog(log, round, true))
  // What the session was told or read before is copied with its log.
  const {
    after: _after,
    carry: _carry,
    forkedFrom: _fork,
    letters: _letters,
    search: _search,
    ...input
  } = forkOf(at, withOutside(changes, at))
  const opening = await settle(input)
  const { id } = opening.opened
  const forked = forkedOf(at, opening, changes, reach.protocols)
  const copied = sharedLog(log, round, forked.protocol === at.protocol)
  const [opened, ...rest] = copied
  if (opened?.type !== 'session-opened') throw new Error('A log begins with its opening.')
  const first = {
    ...opened,
    id,
    ...(opened.book && { book: openMark(opened.book) }),
    forkedFrom: { session: opened.id, round },
  }
  return {
    ...opening,
    opened: first,
    estimate: forkEstimateOf(fold([first, ...rest, stamped(forked, copied.length, () => 0)]), reach),
    first: async clock => {
      // It throws if the table can't be asked.
      await opening.first(clock)
      return first
    },
    rest: clock => [...rest, stamped(forked, copied.length, clock)],
  }
}
