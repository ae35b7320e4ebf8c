/** The steps that protocols are made of. */
import type { Camp, PendingCheck } from '../core/camps/camp.ts'
import { groupingOf } from '../core/camps/camps.ts'
import type { Command } from '../core/log/command.ts'
import { checkKey, isClosed, isFailure, latestRound, type Round, type Session } from '../core/log/state.ts'
import { revisingTokens } from './how-to-answer.ts'
import { batchesOf, batchSize } from './large-table.ts'
import type { Expectation, Load, Protocol } from './protocol.ts'

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
  asksOf(session, round.index).filter(({ seat }) => round.handedIn[seat] === undefined)

/** The next call of a pass over the headlines: all of them together, or the next batch. */
const labelling = (round: Round, pass: 0 | 1, headlines: number): Command[] => {
  const proposal = round.proposals[pass]
  const command = { type: 'group-answers', round: round.index, pass } as const
  if (headlines <= batchSize) return proposal ? [] : [command]
  if (proposal && isFailure(proposal)) return []
  const labelled = Object.keys(proposal ?? {}).length
  return labelled < headlines ? [{ ...command, batch: Math.floor(labelled / batchSize) }] : []
}

/** What the moderator must still be asked before the camps of a closed round are final. */
export const groupings = (session: Session, round: Round): Command[] => {
  const { unplaced, pending, unrelated } = groupingOf(session, round)
  if (unplaced.length > 0) return ([0, 1] as const).flatMap(pass => labelling(round, pass, unplaced.length))
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
export const groupClosed = (session: Session): Command[] => {
  for (const round of session.roundsSoFar) {
    if (!isClosed(session, round)) return []
    const commands = groupings(session, round)
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

export const conclude = (session: Session): Command[] => [
  { type: session.report ? 'finish' : 'write-report' },
]

/** A stopped session makes no more calls: code groups and reports what there is. */
export const nextOf = (protocol: Protocol, session: Session): readonly Command[] => {
  if (session.outcome) return []
  return session.stopped ? conclude(session) : protocol.next(session)
}

/** Somebody answered. Otherwise there is nothing to read. */
export const hasAnswers = (session: Session, round: Round): boolean =>
  session.seats.some(seat => round.handedIn[seat.id]?.status === 'given')

/** The part of the table that is in the largest camp. */
export const supportOf = (session: Session, camps: readonly Camp[]): number =>
  Math.max(0, ...camps.map(camp => camp.seats.length)) / session.seats.length

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
  const grouping = groupClosed(session)
  if (grouping.length > 0) return grouping
  if (!hasAnswers(session, round)) return conclude(session)
  if (!round.digest) return [{ type: 'write-digest', round: round.index }]
  const settled = isStable(session, round) && !isWanted(session)
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
