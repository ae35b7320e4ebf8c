/** What a seat is asked after it has read everybody. */
import { answerBefore, isClosed, latestRound, type Session } from '../core/session.ts'
import { asLabelled } from '../count/settle.ts'
import { answersOfOthers, whatAnswersAre } from './answers.ts'
import { isText, openRoundPrompt, revisingTokens, sealedPrompt, textPrompt } from './prompt.ts'
import type { Prompt, Protocol } from './protocol.ts'
import {
  agreesAlready,
  asks,
  conclude,
  groupClosed,
  hasAnswers,
  isReady,
  isWanted,
  openNext,
  openRounds,
} from './steps.ts'

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const { fence, lines } = answersOfOthers(session, seat, round)
  if (lines.length === 0 && !answerBefore(session, round, seat)) return sealedPrompt(session, seat, round)
  return openRoundPrompt(session, seat, round, {
    fence,
    lines,
    mayAgree: true,
    task: howToAnswer => [[whatAnswersAre, howToAnswer].join('\n')],
  })
}

// roundtable: Everybody reads everybody and revises, for a fixed number of rounds; a table that agrees at once doesn't talk.

export const roundtable = (): Protocol => ({
  id: 'roundtable',
  label: 'Roundtable',
  summary: 'Every seat reads all others and revises its answer, round after round.',
  rounds: { usual: 1, most: 4 },
  stopsEarly: true,
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    // A closed round is grouped while the next one is being answered, so that nobody waits.
    if (!isClosed(session, round)) return [...asks(session, round), ...groupClosed(session)]
    const grouping = groupClosed(session)
    if (openRounds(session) >= session.rounds || !hasAnswers(session, round))
      return conclude(session, grouping)
    if (!round.sealed || isWanted(session)) return openNext(session)
    if (!isReady(session)) return grouping
    return agreesAlready(asLabelled(session), round) ? conclude(session, grouping) : openNext(session)
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : revisePrompt(session, seat, round),
  expect: ({ seats, rounds, question, answer }) => ({
    calls: seats * (rounds + 1) + 2,
    inputTokens:
      seats * question * (rounds + 1) +
      rounds * seats * (revisingTokens + seats * answer) +
      2 * (question + seats * answer),
    outputTokens: (seats * (rounds + 1) + 2) * answer,
    moderator: { calls: 2, inputTokens: 2 * (question + seats * answer), outputTokens: 2 * answer },
  }),
})
