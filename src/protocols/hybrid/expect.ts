/** What a session is expected to take. What a seat reads has a limit, so a larger table takes in proportion to its seats. */

import { digestTokens } from '../digest-lines.ts'
import { revisingTokens } from '../how-to-answer.ts'
import { batchSize, isLargeCount, mostDelegates } from '../large-table.ts'
import type { Amount, Expectation, Load } from '../protocol.ts'
import { readsItself } from '../whole-answers.ts'

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
