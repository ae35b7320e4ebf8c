/** Everybody answers once, sealed. The vote is the verdict. */
import { isClosed, latestRound } from '../core/session.ts'
import { sealedPrompt } from './prompt.ts'
import type { Protocol } from './protocol.ts'
import { asks, conclude, groupClosed, openNext } from './steps.ts'

export const poll = (): Protocol => ({
  id: 'poll',
  label: 'Poll',
  summary: 'One sealed round, then the vote.',
  rounds: { usual: 0, most: 0 },
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    if (!isClosed(session, round)) return asks(session, round)
    return conclude(session, groupClosed(session))
  },
  prompt: (session, seat) => sealedPrompt(session, seat),
  expect: ({ seats, question, answer }) => ({
    calls: seats + 1,
    inputTokens: seats * question + question + seats * answer,
    outputTokens: (seats + 1) * answer,
    moderator: { calls: 1, inputTokens: question + seats * answer, outputTokens: answer },
  }),
})
