/** Everybody reads everybody and revises, for a fixed number of rounds; a table that agrees at once doesn't talk. */
import { asLabelled } from '../../core/camps/camps.ts'
import { isClosed, latestRound } from '../../core/log/state.ts'
import { revisingTokens } from '../how-to-answer.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
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
} from '../steps.ts'
import { revisePrompt } from './prompts.ts'

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
