import { expect, test } from 'vitest'
import { seatsOf, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { isClosed, latestRound } from '../core/session.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { protocolsWith } from '../protocols/index.ts'
import { sealedPrompt } from '../protocols/prompt.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { asks, conclude, openNext, openRounds } from '../protocols/steps.ts'
import { callQueues } from './budget.ts'
import { type Runner, run } from './run.ts'

/** Everybody answers sealed, sleeps on it, and answers again without reading anybody. */
const secondThoughts: Protocol = {
  id: 'second-thoughts',
  label: 'Second thoughts',
  summary: 'Everybody answers twice, and reads nobody.',
  rounds: { usual: 1, most: 1 },
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    if (!isClosed(session, round)) return asks(session, round)
    return openRounds(session) < session.rounds ? openNext(session) : conclude(session)
  },
  prompt(session, seat, round) {
    const prompt = sealedPrompt(session, seat)
    return round === 0 ? prompt : { ...prompt, user: [...prompt.user, 'Think again.'] }
  },
  expect: ({ seats, question, answer }) => ({
    calls: 2 * seats,
    inputTokens: 2 * seats * question,
    outputTokens: 2 * seats * answer,
    moderator: { calls: 0, inputTokens: 0, outputTokens: 0 },
  }),
}

const seats = seatsOf(2).map(seat => ({ ...seat, model: `scripted/${seat.id}` }))
const begun = table({
  protocol: 'second-thoughts',
  seats,
  question: yesOrNo,
  rounds: 1,
  moderator: null,
})
const provider = scripted(call => ({ choice: call.user.includes('Think again.') ? 'No' : 'Yes' }))

const runner = (protocols?: readonly Protocol[]): Runner => ({
  providers: [provider],
  protocols,
  openQueue: callQueues(),
  clock: () => 0,
  signal: new AbortController().signal,
  publish() {},
})

test('[P68] a protocol of one’s own is run like a built-in one', async () => {
  const log = await run(runner(protocolsWith([secondThoughts])), begun.events)
  expect(log.flatMap(event => (event.type === 'answer-given' ? event.answer.choice : []))).toEqual([
    'Yes',
    'Yes',
    'No',
    'No',
  ])
  expect(log.at(-1)).toMatchObject({ type: 'session-finished', outcome: 'verdict' })
})

test('[P68] an id that is taken is refused, and a protocol that nobody handed in is unknown', async () => {
  const poll = { ...secondThoughts, id: 'poll' }
  expect(() => protocolsWith([poll])).toThrow('There are two protocols with the id "poll"')
  expect(() => protocolsWith([secondThoughts, secondThoughts])).toThrow('second-thoughts')
  expect(() => createRoundtable({ protocols: [poll] })).toThrow('give yours another one')
  await expect(run(runner(), begun.events)).rejects.toThrow('There is no protocol "second-thoughts"')
})
