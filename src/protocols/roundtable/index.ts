/** Everybody reads everybody and revises, for a fixed number of rounds. */
import { isClosed, latestRound } from '../../core/log/state.ts'
import { revisingTokens } from '../how-to-answer.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { asks, conclude, groupClosed, hasAnswers, openNext, openRounds } from '../steps.ts'
import { revisePrompt } from './prompts.ts'

export const roundtable = (): Protocol => ({
  id: 'roundtable',
  label: 'Round table',
  summary: 'Every seat reads all others and revises its answer, round after round.',
  rounds: { usual: 1, most: 4 },
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    // A closed round is grouped while the next one is being answered, so that nobody waits.
    if (!isClosed(session, round)) return [...asks(session, round), ...groupClosed(session)]
    if (openRounds(session) < session.rounds && hasAnswers(session, round)) return openNext(session)
    const grouping = groupClosed(session)
    return grouping.length > 0 ? grouping : conclude(session)
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
