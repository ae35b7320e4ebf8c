/** What a session is expected to take. What a seat reads has a limit, so a larger table takes in proportion to its seats. */
import { shuffled } from '../core/basics.ts'
import type { Command, ReadingPart } from '../core/event.ts'
import { isVoteOnFact, kindOf } from '../core/form.ts'
import { decisionOf } from '../core/question.ts'
import {
  answerIn,
  isClosed,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatsIn,
} from '../core/session.ts'
import { shiftBetween } from '../count/group.ts'
import { moveOf } from '../count/moves.ts'
import { asLabelled, groupingOf } from '../count/settle.ts'
import { tallyOf } from '../count/tally.ts'
import {
  answersOfOthers,
  batchSize,
  challengedCamp,
  delegatesAfter,
  digestBatches,
  digestTokens,
  enoughOnFact,
  enoughSupport,
  isEnough,
  isLarge,
  isLargeCount,
  mostDelegates,
  objectionLines,
  objectionTask,
  positionLine,
  readsAnswers,
  readsItself,
  whatAnswersAre,
  whatDigestIs,
} from './answers.ts'
import {
  isText,
  nobodyRewrote,
  type OpenRoundParts,
  openRoundPrompt,
  orderOf,
  revisingTokens,
  sealedPrompt,
  sharesOrder,
  textPrompt,
} from './prompt.ts'
import type { Amount, Expectation, Load, OpeningFacts, Prompt, Protocol } from './protocol.ts'
import {
  asks,
  conclude,
  groupClosed,
  hasAnswers,
  isKindOpen,
  isReady,
  isWanted,
  openNext,
  openRounds,
  supportOf,
} from './steps.ts'

/** Tokens of a seat that only votes while others speak. */
const shortAnswer = 120
/** How many answers the moderator reads for the report of a large table: some of each large camp. */
const reportedAnswers = 18
/** How many answers a reading has as a whole if nobody needs a digest. */
const readAnswers = 2
/** Instructions and form of a reading beyond those of labels, and what it says against a position. */
const readingTokens = 250
const objectionTokens = 150
/** How many answers a challenger reads. */
const challengedAnswers = 3

const sum = (amounts: readonly Amount[]): Amount => ({
  calls: amounts.reduce((total, { calls }) => total + calls, 0),
  inputTokens: amounts.reduce((total, { inputTokens }) => total + inputTokens, 0),
  outputTokens: amounts.reduce((total, { outputTokens }) => total + outputTokens, 0),
})

/** One digest of so many answers: in one call, or in parts and one call for the parts. */
const digest = (answers: number, { question, answer }: Load): Amount => {
  const parts = Math.ceil(answers / batchSize)
  const merged = parts > 1 ? { calls: 1, input: question + parts * digestTokens } : { calls: 0, input: 0 }
  return {
    calls: parts + merged.calls,
    inputTokens: parts * question + answers * answer + merged.input,
    outputTokens: (parts + merged.calls) * digestTokens,
  }
}

/** What a reading has besides labels: a few answers and an objection, or all of them and a digest. */
const reading = ({ seats, answer }: Load): Amount => {
  const digested = !readsItself(seats, seats * answer)
  return {
    calls: 0,
    inputTokens: readingTokens + (digested ? seats : Math.min(seats, readAnswers)) * answer,
    outputTokens: objectionTokens + (digested ? digestTokens : 0),
  }
}

/** What a seat reads of the others in an open round. */
const readTokens = ({ seats, answer }: Load): number =>
  readsItself(seats, seats * answer) ? (seats - 1) * answer : digestTokens

/** The seats' share of one open round: what each reads, its own last answer, and what it writes. */
const openRound = (load: Load, first: boolean): Amount => {
  const { seats, question, answer } = load
  const speakers = isLargeCount(seats) ? Math.min(seats, mostDelegates) : seats
  const written = speakers * answer + (seats - speakers) * Math.min(answer, shortAnswer)
  return {
    calls: seats,
    inputTokens: seats * (question + revisingTokens + readTokens(load)) + (first ? seats * answer : written),
    outputTokens: written,
  }
}

export const expect = (load: Load): Expectation => {
  const { seats, rounds, question, answer } = load
  const large = isLargeCount(seats)
  const read = (answers: number): Amount => ({
    calls: 1,
    inputTokens: question + Math.min(seats, answers) * answer,
    outputTokens: answer,
  })
  const open = Array.from({ length: rounds }, (_, round) => openRound(load, round === 0))
  const asRead = load.open && !large
  const digests =
    asRead || readsItself(seats, seats * answer)
      ? []
      : Array.from({ length: rounds }, (_, round) => digest(large && round > 0 ? mostDelegates : seats, load))
  const report = read(large ? reportedAnswers : seats)
  // The challenger is asked after the sealed round, and again after the last one. An open question is labelled in the
  // same call, which the labels count.
  const challenges = asRead
    ? Array.from({ length: Math.max(1, rounds) }, () => reading(load))
    : [read(challengedAnswers), read(challengedAnswers)]
  const moderator = sum([...digests, ...challenges, report])
  const sealed = { calls: seats, inputTokens: seats * question, outputTokens: seats * answer }
  return { ...sum([sealed, ...open, moderator]), moderator }
}

// gate: The gate: whether the table talks (again), stops, or must hear the challenger first.

/** The part of a large table that may still move when it counts as settled. */
const settledShift = 0.05

const nobodyMoved = (session: Session, round: Round): boolean =>
  !round.sealed && session.seats.every(seat => moveOf(session, round, seat.id) !== 'switched')

export const canChallenge = ({ moderator, smallModerator }: Session): boolean =>
  moderator !== null && !smallModerator

/** At a large table somebody always moves. It is settled when hardly anybody moved in two rounds. */
const hasSettled = (session: Session, round: Round): boolean => {
  const [first, second] = [roundAt(session, round.index - 2), roundAt(session, round.index - 1)]
  if (!isLarge(session) || !first || !second) return false
  return [shiftBetween(session, first, second), shiftBetween(session, second, round)].every(
    shift => shift <= settledShift,
  )
}

const agreesOn = (session: Session, round: Round): 'enough' | 'on fact' | 'too little' => {
  const support = supportOf(session, round, tallyOf(session, round).camps)
  if (support >= enoughSupport) return 'enough'
  return support > enoughOnFact ? 'on fact' : 'too little'
}

/** Whether the table should talk (again), or wait: for the challenger, or to know the kind of question. */
export const gate = (session: Session, round: Round): 'talk' | 'stop' | 'challenge' | 'wait' => {
  if (openRounds(session) >= session.rounds || !hasAnswers(session, round)) return 'stop'
  if (isWanted(session)) return 'talk'
  if (isText(session)) return nobodyRewrote(session, round) ? 'stop' : 'talk'
  if (hasSettled(session, round)) return 'stop'
  const [agrees, isFact] = [agreesOn(session, round), isVoteOnFact(session)]
  const isEnough = agrees === 'enough' || (agrees === 'on fact' && isFact)
  // Without a majority on a fact, a round in which nobody moved is no reason to end undecided.
  if (nobodyMoved(session, round) && (isEnough || !isFact)) return 'stop'
  if (agrees === 'on fact' && isKindOpen(session)) return 'wait'
  if (!isEnough) return 'talk'
  if (round.objection === undefined) return canChallenge(session) ? 'challenge' : 'stop'
  return round.objection === null ? 'stop' : 'talk'
}

// prompts: What a seat is asked after it has read the others: their whole answers, or at a larger table a digest of them.

/** The most words for a seat that only votes while others speak. */
const fewWords = 40
/** The most words for a seat that also has an objection to answer. */
const wordsWithObjection = 330

/** At a large table a few seats speak for the camps, and everybody reads them. The others vote again. */
const speaking =
  'The table is large: you speak for those who gave your answer. Put their case so that the others can check it.'
const voting =
  'The table is large: others speak for the positions in this round, and you vote again. Two points are enough.'

/** What a seat reads, and what comes before how it answers. */
type Reading = Pick<OpenRoundParts, 'fence' | 'isShared' | 'lines' | 'mostWords' | 'mayAgree'> & {
  readonly what: readonly string[]
}

const campOf = (session: Session, round: Round, seat: string): readonly string[] =>
  groupingOf(session, round).camps.find(({ seats }) => seats.includes(seat))?.seats ?? []

/** A log from before whole answers were read has a digest, and is carried on with it. */
const readingOf = (session: Session, seat: string, round: number): Reading => {
  const last = roundAt(session, round - 1)
  if (!last?.digest && readsAnswers(session, round))
    return { ...answersOfOthers(session, seat, round), what: [whatAnswersAre], mayAgree: true }
  const large = last !== undefined && isLarge(session)
  // Few orders at a large table, so that most prompts of a round start the same and a provider's cache hits.
  const fence = `round ${round} ${large ? `order ${orderOf(session, seat)}` : `seat ${seat}`}`
  // What only one reader is told would make every prompt of a large table differ.
  const camp = last && !large ? campOf(session, last, seat) : []
  const lines = shuffled(last?.digest?.positions ?? [], `${session.seed} ${fence}`).map(position =>
    positionLine(session, position, last && { seat, round: last, camp }),
  )
  const mayAgree = lines.length < 2
  if (!large) return { fence, lines, what: [whatDigestIs], mayAgree }
  const shared = { fence, lines, mayAgree, isShared: sharesOrder(session, seat) }
  return delegatesAfter(session, last).has(seat)
    ? { ...shared, what: [whatDigestIs, speaking] }
    : { ...shared, what: [whatDigestIs, voting], mostWords: fewWords }
}

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const last = roundAt(session, round - 1)
  const { what, lines, ...reading } = readingOf(session, seat, round)
  return openRoundPrompt(session, seat, round, {
    ...reading,
    lines: [...lines, ...objectionLines(session, last)],
    task: howToAnswer => [[...what, ...objectionTask(session, last, seat), howToAnswer].join('\n')],
    objection: Boolean(last?.objection),
    mostWords: reading.mostWords ?? (last?.objection ? wordsWithObjection : undefined),
  })
}

// whenItTalks: When the table talks at all, for the estimate.

/** "If at least 80% agree in the sealed vote, no open rounds follow, unless a challenger objects." */
export const whenItTalks = (opened: OpeningFacts): string | undefined => {
  if (opened.rounds === 0 || opened.question.format === 'text') return undefined
  const isFact = isVoteOnFact(opened)
  const enough = isFact ? 'more than half' : 'at least 80%'
  const objects = opened.moderator !== null && !opened.smallModerator ? ', unless a challenger objects' : ''
  const onFact =
    !isFact && kindOf(opened) === undefined ? ' On a question of fact, more than half is enough.' : ''
  return `If ${enough} agree in the sealed vote, no open rounds follow${objects}.${onFact}`
}

// hybrid: Sealed answers and a challenger; then seats read each other, or a digest at a larger table, and revise in one call.

/** In the next round seats read each other's answers or texts, not a digest. */
const seatsReadThemselves = (session: Session, round: Round): boolean =>
  isText(session) || readsAnswers(session, round.index + 1)

/** Texts aren't compared, and one more round that a person wants is held whatever the camps are. */
const canGoOn = (session: Session, round: Round): boolean => {
  if (isText(session) || (isWanted(session) && seatsReadThemselves(session, round))) return true
  // The camps of a large table choose who speaks, so they are checked first.
  return isReady(session) && (!isLarge(session) || openRounds(session) >= session.rounds)
}

/** It may talk again, so the moderator is asked at once for what that would need. */
const partsOf = (session: Session, round: Round): readonly ReadingPart[] => {
  const isLast = round.index !== latestRound(session)?.index || openRounds(session) >= session.rounds
  if (isLast || isLarge(session) || isText(session) || !canChallenge(session)) return []
  const digest: readonly ReadingPart[] = seatsReadThemselves(session, round) ? [] : ['digest']
  return mayBeChallenged(session, round) ? ['objection', ...digest] : digest
}

/** Whether nearly all may agree now: after an open round, those who led before and those who say that they moved. */
const mayBeChallenged = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  if (!before) return true
  const moved = session.seats.filter(({ id }) => decisionOf(answerIn(round, id) ?? {}) === 'changed')
  const led = challengedCamp(session, before)?.seats ?? []
  const most = new Set([...led, ...moved.map(({ id }) => id)]).size
  return moved.length > 0 && isEnough(session, most / seatsIn(session, round.index).length)
}

/** A table that needs a digest if there is an objection gets both in one call. */
const challenging = (session: Session, round: Round): Command => {
  const alone = isLarge(session) || round.digest || round.unread || seatsReadThemselves(session, round)
  return alone
    ? { type: 'challenge', round: round.index }
    : { type: 'read-round', round: round.index, parts: ['objection', 'digest'] }
}

/** The digest of a large table is written in parts, all at the same time, and then from these parts. */
const digesting = (session: Session, round: Round): Command[] => {
  const whole: Command = { type: 'write-digest', round: round.index }
  const batches = canChallenge(session) ? digestBatches(session, round.index).length : 1
  const missing = Array.from({ length: batches }, (_, batch) => batch).filter(batch => !round.parts?.[batch])
  return batches === 1 || missing.length === 0 ? [whole] : missing.map(batch => ({ ...whole, batch }))
}

export const hybrid = (): Protocol => ({
  id: 'hybrid',
  label: 'Hybrid',
  summary:
    'Seats read each other without names and revise, and a challenger doubts quick agreement. Stops when it no longer helps.',
  rounds: { usual: 2, most: 4 },
  stopsEarly: true,
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    const grouping = groupClosed(session, partsOf)
    // A closed round is checked while the next one is being answered, so that nobody waits.
    if (!isClosed(session, round)) return [...asks(session, round), ...grouping]
    if (grouping.length > 0 && !canGoOn(session, round)) return grouping
    const way = gate(grouping.length > 0 ? asLabelled(session) : session, round)
    if (way === 'wait') return grouping
    if (way === 'stop') return conclude(session, grouping)
    if (way === 'challenge') return [...grouping, challenging(session, round)]
    const hasReading = round.digest !== undefined || seatsReadThemselves(session, round)
    return hasReading ? openNext(session) : [...grouping, ...digesting(session, round)]
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : revisePrompt(session, seat, round),
  expect,
  whenItTalks,
})
