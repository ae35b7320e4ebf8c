/** The steps that protocols are made of. */
import type { Command, ReadingPart } from '../core/event.ts'
import { kindOf } from '../core/form.ts'
import {
  answerIn,
  checkKey,
  isClosed,
  isFailure,
  latestRound,
  type Round,
  type Session,
  seatOf,
  seatsIn,
} from '../core/session.ts'
import type { Camp, PendingCheck } from '../count/camps.ts'
import { statedReadings } from '../count/moves.ts'
import { asLabelled, groupingOf, isLabelled } from '../count/settle.ts'
import { batchesOf, batchSize } from './answers.ts'
import { isText, revisingTokens } from './prompt.ts'
import type { Expectation, Load, Protocol } from './protocol.ts'
import { draftStands } from './report.ts'

// aboutQuestion: What the moderator says about the question itself, while the seats are busy: nobody waits for it.

/** Nobody has said what kind of question it is, and the moderator is being asked. */
export const isKindOpen = (session: Session): boolean => canBeAsked(session) && kind(session).length > 0

const kind = (session: Session): Command[] =>
  session.kindFound === undefined && kindOf(session) === undefined ? [{ type: 'find-kind' }] : []

const canBeAsked = ({ moderator, smallModerator, roundsSoFar }: Session): boolean =>
  moderator !== null && !smallModerator && roundsSoFar.length > 0

const readings = (session: Session): Command[] => {
  const round = session.roundsSoFar.find(one => one.sealed)
  if (!round || round.readings !== undefined || !isClosed(session, round)) return []
  return statedReadings(session, round).length > 1 ? [{ type: 'group-readings', round: round.index }] : []
}

/** Asked beside the rounds. A very small moderator can't say any of it. */
export const aboutQuestion = (session: Session): Command[] =>
  canBeAsked(session) ? [...kind(session), ...readings(session)] : []

type AskSeat = Command & { type: 'ask-seat' }

/** Kept, because a large table would otherwise spend most of its time making the same commands again. */
const remembered = new WeakMap<Session['seats'], Map<number, readonly AskSeat[]>>()

const asksOf = ({ seats }: Session, round: number): readonly AskSeat[] => {
  const known = remembered.get(seats) ?? new Map<number, readonly AskSeat[]>()
  remembered.set(seats, known)
  const commands = known.get(round) ?? seats.map(({ id }): AskSeat => ({ type: 'ask-seat', round, seat: id }))
  known.set(round, commands)
  return commands
}

/** Asks every seat that hasn't handed in anything for the round. */
export const asks = (session: Session, round: Round): Command[] =>
  asksOf(session, round.index).filter(
    ({ seat }) => round.handedIn[seat] === undefined && (seatOf(session, seat).since ?? 0) <= round.index,
  )

/** The next call of a pass over the headlines: all of them together, or the next batch. */
const labelling = (round: Round, pass: 0 | 1, headlines: number): Command[] => {
  const proposal = round.proposals[pass]
  const command = { type: 'group-answers', round: round.index, pass } as const
  if (headlines <= batchSize) return proposal ? [] : [command]
  if (proposal && isFailure(proposal)) return []
  const labelled = Object.keys(proposal ?? {}).length
  return labelled < headlines ? [{ ...command, batch: Math.floor(labelled / batchSize) }] : []
}

/** What a protocol wants to know about a round besides who agrees with whom. */
type PartsOf = (session: Session, round: Round) => readonly ReadingPart[]

/** The first pass with all that a protocol wants, in one call. If that failed, step by step. */
const firstPass = (round: Round, parts: readonly ReadingPart[], headlines: number): Command[] => {
  const asRead = parts.length > 0 && headlines <= batchSize && !round.unread && !round.proposals[0]
  return asRead ? [{ type: 'read-round', round: round.index, parts }] : labelling(round, 0, headlines)
}

/** What the moderator must still be asked before the camps of a closed round are final. */
export const groupings = (session: Session, round: Round, partsOf: PartsOf = () => []): Command[] => {
  const { unplaced, pending, unrelated } = groupingOf(session, round)
  if (unplaced.length > 0)
    return [
      ...firstPass(round, partsOf(session, round), unplaced.length),
      ...labelling(round, 1, unplaced.length),
    ]
  return session.smallModerator
    ? pending.map(pair => alone(round, pair))
    : checking(session, round, pending, unrelated)
}

const alone = ({ index }: Round, { seat, exemplar }: PendingCheck): Command => ({
  type: 'check-membership',
  round: index,
  seat,
  exemplar,
})

const together = (round: Round, pairs: readonly PendingCheck[]): Command[] => {
  const [first, ...rest] = pairs
  if (!first) return []
  return [rest.length > 0 ? { type: 'check-memberships', round: round.index, pairs } : alone(round, first)]
}

/**
 * All checks of a round in one call. What such a call left out is asked one by one; if that was a pair of camps, nobody
 * needs it. A large table is checked in batches by seat: a batch must stay the same while others come back, or its pairs
 * would be asked about twice.
 */
const checking = (
  session: Session,
  round: Round,
  pending: readonly PendingCheck[],
  unrelated: readonly PendingCheck[],
): Command[] => {
  const isMissed = ({ seat, exemplar }: PendingCheck): boolean =>
    round.missedChecks?.includes(checkKey(seat, exemplar)) ?? false
  const [members, camps] = [pending, unrelated].map(pairs => pairs.filter(pair => !isMissed(pair)))
  const missed = pending.filter(isMissed).map(pair => alone(round, pair))
  if (session.seats.length <= batchSize)
    return [...missed, ...batchesOf([...members!, ...camps!]).flatMap(pairs => together(round, pairs))]
  const place = new Map(session.seats.map(({ id }, index) => [id, Math.floor(index / batchSize)]))
  const batches = Map.groupBy(members!, ({ seat }) => place.get(seat))
  const last = pending.length === 0 ? together(round, camps!) : []
  return [...missed, ...[...batches.values()].flatMap(pairs => together(round, pairs)), ...last]
}

/** Groups closed rounds in their order, because a round's camps build on earlier ones. */
export const groupClosed = (session: Session, partsOf?: PartsOf): Command[] => {
  for (const round of session.roundsSoFar) {
    if (!isClosed(session, round)) return []
    const commands = groupings(session, round, partsOf)
    if (commands.length > 0) return commands
  }
  return []
}

export const openNext = (session: Session): Command[] => [
  {
    type: 'open-round',
    round: (latestRound(session)?.index ?? -1) + 1,
    sealed: latestRound(session) === undefined,
  },
]

/**
 * The report is asked for as soon as the last round is labelled, beside the comparisons that are still open. Once they
 * are in, code fills in the counts. A report that doesn't hold any more is asked for again.
 */
export const conclude = (session: Session, open: readonly Command[] = []): Command[] => {
  if (session.report) return [{ type: 'finish' }]
  if (open.length > 0) {
    const mayDraft = !session.drafted && !isText(session) && isReady(session)
    return mayDraft ? [...open, { type: 'write-report' }] : [...open]
  }
  if (!session.drafted) return [{ type: 'write-report' }]
  return [draftStands(session) ? { type: 'settle-report' } : { type: 'write-report', again: true }]
}

/** The session as a command sees it: a report that is asked for before everything is checked goes by the labels. */
export const seenFor = ({ type }: Command, session: Session): Session =>
  type === 'write-report' && !session.stopped && groupClosed(session).length > 0
    ? asLabelled(session)
    : session

/** Every seat of the latest round is in a camp, if only by its label. */
export const isReady = (session: Session): boolean => {
  const round = latestRound(session)
  return round !== undefined && isLabelled(session, round)
}

const endings: ReadonlySet<Command['type']> = new Set(['write-report', 'settle-report', 'finish'])

/** One search for all seats comes before whatever a protocol does. What it found or why it failed is in the log. */
const isSearchDue = ({ search, sources, searchFailed, roundsSoFar }: Session): boolean =>
  search === 'shared' && !sources && !searchFailed && roundsSoFar.length === 0

/** A stopped session makes no more calls: code groups and reports what there is. */
export const nextOf = (protocol: Protocol, session: Session): readonly Command[] => {
  if (session.outcome) return []
  if (session.stopped) return conclude(session)
  if (isSearchDue(session)) return [{ type: 'search' }]
  const commands = protocol.next(session)
  const beside = aboutQuestion(session)
  // The report tells what kind of question it is, and how seats read it.
  return beside.length > 0 ? [...commands.filter(({ type }) => !endings.has(type)), ...beside] : commands
}

/** Somebody answered. Otherwise there is nothing to read. */
export const hasAnswers = (session: Session, round: Round): boolean =>
  session.seats.some(seat => round.handedIn[seat.id]?.status === 'given')

/** The part of the table that is in the largest camp. */
export const supportOf = (session: Session, { index }: Round, camps: readonly Camp[]): number =>
  Math.max(0, ...camps.map(camp => camp.seats.length)) / seatsIn(session, index).length

/** Everybody gave the same answer before anybody had read anybody: to talk would change nothing. */
export const agreesAlready = (session: Session, round: Round): boolean =>
  round.sealed && supportOf(session, round, groupingOf(session, round).camps) === 1

/** How many open rounds there were so far. */
export const openRounds = (session: Session): number =>
  session.roundsSoFar.filter(round => !round.sealed).length

/** A person asked for one more round, even if the protocol wouldn't have one. */
export const isWanted = (session: Session): boolean => openRounds(session) < (session.wanted ?? 0)

/** Rounds until the group is stable. After each, code sums up the group's figures for the next one. */
export const untilStable = (
  session: Session,
  isStable: (session: Session, round: Round) => boolean,
): readonly Command[] => {
  const round = latestRound(session)
  if (!round) return openNext(session)
  if (!isClosed(session, round)) return asks(session, round)
  // Seats are told figures, so nobody goes by labels here.
  const grouping = groupClosed(session)
  if (grouping.length > 0) return grouping
  if (!hasAnswers(session, round)) return conclude(session)
  if (!round.digest) return [{ type: 'write-digest', round: round.index }]
  const settled = (isStable(session, round) || agreesAlready(session, round)) && !isWanted(session)
  const over = openRounds(session) >= session.rounds || settled
  return over ? conclude(session) : openNext(session)
}

/** What such rounds take, if everybody reads figures of that many tokens, and the report at the end. */
export const expectFigures = (
  { seats, rounds, question, answer }: Load,
  figuresTokens: number,
): Expectation => ({
  calls: seats * (rounds + 1) + 1,
  inputTokens:
    seats * question +
    rounds * seats * (question + revisingTokens + answer + figuresTokens) +
    question +
    seats * answer,
  outputTokens: (seats * (rounds + 1) + 1) * answer,
  moderator: { calls: 1, inputTokens: question + seats * answer, outputTokens: answer },
})

// checkSteps: What a moderator must still be asked before an imported transcript is checked.

export const checkSteps = (session: Session): Command[] => {
  const round = latestRound(session)
  if (!round || !session.changes) return []
  // In a sealed round nobody has read anything yet, so nobody can have changed its mind.
  const unread = round.sealed
    ? []
    : session.seats.filter(({ id }) => answerIn(round, id) && session.changes?.[id] === undefined)
  return [
    ...groupClosed(session),
    ...unread.map(({ id }) => ({ type: 'check-change' as const, round: round.index, seat: id })),
  ]
}
