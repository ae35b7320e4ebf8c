/** A fork from the start: the same question again. What a session had, and what is said anew. Pure. */
import { formatFor, type SeatInput } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import { type Happening, type SessionEvent, stamped } from '../core/event.ts'
import { fold, sharedLog } from '../core/fold.ts'
import type { Seat, SessionOpened } from '../core/opening.ts'
import { formats } from '../core/question.ts'
import type { Session } from '../core/session.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { costOf } from '../run/budget.ts'
import { type AskInput, isOpenTable, withoutUndefined } from './ask.ts'
import { type Estimate, estimateOf, lessOf, moderatorPrice, type Range, report } from './estimate.ts'
import type { Reach } from './reach.ts'
import type { Opening } from './resolve.ts'

type SessionSeat = Session['seats'][number]

const seatWish = ({ model, name, brief, temperature, effort, sees }: SessionSeat): SeatInput => ({
  model,
  name,
  ...(brief !== undefined && { brief }),
  ...(temperature !== undefined && { temperature }),
  ...(effort && { effort }),
  // If it could not, it may see now.
  ...(sees && { sees }),
})

/** A model that sat at the table before keeps its name, brief and settings, unless they are said anew. */
const seatsAgain = (wanted: readonly SeatInput[], seats: readonly SessionSeat[]): SeatInput[] => {
  const left = [...seats]
  return wanted.map(seat => {
    const index = typeof seat === 'string' ? left.findIndex(({ model }) => model === seat) : -1
    const [before] = index < 0 ? [] : left.splice(index, 1)
    return before ? seatWish(before) : seat
  })
}

/** People and programs at the table, in the words of a request. */
const peopleAgain = ({ seats }: Session): Pick<AskInput, 'people'> => {
  const people = seats.filter(({ outside }) => outside)
  const wishes = people.map(({ name, deadline, person }) => ({
    name,
    deadline,
    ...(!person && { program: true }),
  }))
  return people.length > 0 ? { people: wishes } : {}
}

/** The same seats, in the words of a request. */
export const tableAgain = (session: Session): Pick<AskInput, 'seats' | 'people'> => ({
  seats: session.seats.filter(({ outside }) => !outside).map(seatWish),
  ...peopleAgain(session),
})

/** How the question is to be answered. A scale belongs to numbers only. */
const formOf = ({ scale, ...form }: Omit<Session['question'], 'text' | 'attachments'>) => ({
  ...form,
  ...(form.format === 'number' && { scale }),
})

/** What is said anew takes the place of what was, with all that depended on it. */
export const forkOf = (session: Session, wanted: Partial<AskInput>): AskInput => {
  const changes = withoutUndefined(wanted)
  const { text, attachments, ...asked } = session.question
  const { seats, lineup, protocol = session.protocol } = changes
  const asBefore = !seats && lineup === undefined && !session.imported
  const sameProtocol = !session.imported && protocol === session.protocol
  return {
    question: text,
    attachments: attachments.map(one => (one.sha256 ? { ...one, session: session.id } : one)),
    ...((attachments.length > 0 || session.search) && !session.citations && { citations: false }),
    ...(session.search && { search: session.search }),
    ...(session.fetch === false && { fetch: false }),
    ...(session.excerpts && { excerpts: true }),
    ...(changes.format === undefined && formOf(asked)),
    ...(changes.format === undefined &&
      changes.question === undefined &&
      session.kind && { kind: session.kind }),
    ...(asBefore && tableAgain(session)),
    ...(!session.imported && { moderator: session.moderator, names: session.names }),
    ...(sameProtocol && { protocol, rounds: session.rounds }),
    ...(session.language !== null && changes.question === undefined && { language: session.language }),
    ...(session.budget && { budget: session.budget }),
    deadline: session.deadline,
    ...(session.patience !== undefined && { patience: session.patience }),
    ...(session.book && { book: session.book }),
    ...(session.letters && { letters: [...new Set(session.letters.given.map(({ book }) => book))] }),
    ...(session.after && { after: session.after.session, carry: session.after.carry }),
    forkedFrom: session.id,
    ...changes,
    ...(seats && { seats: seatsAgain(seats, session.seats) }),
  }
}

// followUp: A question that follows on from a session: it goes to the same table unless another one is named. Pure.

/** A protocol that can't take the new question's format was meant for the old one. */
const protocolAgain = (session: Session, asked: AskInput, known: readonly Protocol[]): Partial<AskInput> => {
  if (asked.protocol !== undefined || session.imported) return {}
  const { formats: taken = formats } = protocolNamed(session.protocol, known)
  return taken.includes(formatFor(asked)) ? { protocol: session.protocol, rounds: session.rounds } : {}
}

export const followUpOf = (session: Session, given: AskInput, known: readonly Protocol[]): AskInput => {
  const asked = withoutUndefined(given)
  const { imported, book, budget, patience } = session
  return {
    ...(isOpenTable(asked) && !imported && tableAgain(session)),
    ...(!imported && { moderator: session.moderator, deadline: session.deadline }),
    // Letters are signed, and votes usually aren't.
    ...(!imported && !book && { names: session.names }),
    ...protocolAgain(session, asked, known),
    ...(budget && { budget }),
    ...(patience !== undefined && { patience }),
    ...asked,
  }
}

// forkEstimate: What a fork in the middle would take: the rounds that are left, and a report. What it copies was paid for.

const note = 'Only calls after the fork are made and counted: the answers before it are copied.'

/** Without a further round, only the report is written: at most in three calls, and perhaps it was copied. */
const mostCalls = 3
const upTo = (high: number): Range => ({ low: 0, high })

const atLeast = (range: Range, floor: Range): Range => ({
  low: Math.max(range.low, floor.low),
  high: Math.max(range.high, floor.high),
})

/** The difference to a session that ended at the fork. */
export const forkEstimateOf = (session: Session, reach: Pick<Reach, 'providers' | 'protocols'>): Estimate => {
  const held = session.roundsSoFar.filter(({ sealed }) => !sealed).length
  const { stopsEarly } = protocolNamed(session.protocol, reach.protocols)
  const least = Math.max(held, session.wanted ?? (stopsEarly ? held : session.rounds))
  const whole = (rounds: number, heldRounds: number): Estimate =>
    estimateOf({ ...session, type: 'session-opened', rounds }, [], reach, heldRounds)
  const before = whole(held, held)
  const after = whole(session.rounds, least)
  const left = lessOf(after, before, [note])
  const calls = session.moderator === null ? 0 : mostCalls
  const price = moderatorPrice(session.moderator, reach)
  return {
    ...left,
    calls: atLeast(left.calls, upTo(calls)),
    inputTokens: atLeast(left.inputTokens, upTo(calls * report.inputTokens)),
    outputTokens: atLeast(left.outputTokens, upTo(calls * report.outputTokens)),
    costUsd: left.costUsd && atLeast(left.costUsd, upTo(price ? calls * costOf(report, price) : 0)),
    seconds: atLeast(left.seconds, upTo(60)),
  }
}

// forkAt: A fork in the middle: a copy of a log up to the close of a round, which goes on with what is said anew.

/** What may change in the middle of a session. The question and what was said before can't. */
const changeable = [
  'seats',
  'lineup',
  'temperature',
  'effort',
  'moderator',
  'protocol',
  'rounds',
  'names',
  'budget',
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
  const isSameTable = !changes.seats && changes.lineup === undefined
  const sat = seatsOf(opened.seats, at.seats)
  const seats = isSameTable && changes.temperature === undefined && !changes.effort ? at.seats : sat
  const isHeard = seats.some((seat, index) => seat.model !== at.seats[index]!.model)
  const { moderator, smallModerator, names, budget, deadline, patience } = opened
  return {
    type: 'session-forked',
    seats: [...seats],
    moderator,
    ...(smallModerator && { smallModerator }),
    protocol: opened.protocol,
    ...roundsFor(at, opened, protocolNamed(opened.protocol, protocols), changes, isHeard),
    names,
    ...(budget && { budget }),
    deadline,
    ...(patience !== undefined && { patience }),
  }
}

/** If only the models are named, people and programs stay. */
const withPeopleOf = (session: Session, changes: Partial<AskInput>): Partial<AskInput> =>
  changes.seats !== undefined || changes.lineup !== undefined
    ? { ...peopleAgain(session), ...changes }
    : changes

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
  const at = fold(sharedLog(log, round, true))
  // What the session was told or read before is copied with its log.
  const {
    after: _after,
    carry: _carry,
    forkedFrom: _fork,
    letters: _letters,
    search: _search,
    ...input
  } = forkOf(at, withPeopleOf(at, changes))
  const opening = await settle(input)
  const { id } = opening.opened
  const forked = forkedOf(at, opening, changes, reach.protocols)
  const copied = sharedLog(log, round, forked.protocol === at.protocol)
  const [opened, ...rest] = copied
  if (opened?.type !== 'session-opened') throw new Error('A log begins with its opening.')
  const first = {
    ...opened,
    id,
    ...(opened.book && { book: opened.book }),
    forkedFrom: { session: opened.id, round },
  }
  const estimate = forkEstimateOf(fold([first, ...rest, stamped(forked, copied.length, () => 0)]), reach)
  return {
    ...{ ...opening, opened: first, estimate },
    first: async clock => {
      // It throws if the table can't be asked.
      await opening.first(clock, estimate)
      return first
    },
    rest: clock => [...rest, stamped(forked, copied.length, clock)],
  }
}
