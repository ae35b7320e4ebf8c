/** A protocol of your own: everybody answers twice, and reads nobody. `node examples/protocol.ts` */
import {
  asks,
  conclude,
  createRoundtable,
  groupClosed,
  isClosed,
  latestRound,
  openNext,
  type Protocol,
  scripted,
  sealedPrompt,
} from 'roundtable'

const secondThoughts: Protocol = {
  id: 'second-thoughts',
  label: 'Second thoughts',
  summary: 'Everybody answers twice, and reads nobody.',
  rounds: { usual: 1, most: 1 },
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    if (!isClosed(session, round)) return asks(session, round)
    if (round.sealed && session.rounds > 0) return openNext(session)
    const grouping = groupClosed(session)
    return grouping.length > 0 ? grouping : conclude(session)
  },
  prompt(session, seat, round) {
    const prompt = sealedPrompt(session, seat)
    return round === 0 ? prompt : { ...prompt, user: [...prompt.user, 'Think again, step by step.'] }
  },
  expect: ({ seats, question, answer }) => ({
    calls: 2 * seats,
    inputTokens: 2 * seats * question,
    outputTokens: 2 * seats * answer,
    moderator: { calls: 0, inputTokens: 0, outputTokens: 0 },
  }),
}

const roundtable = createRoundtable({
  protocols: [secondThoughts],
  providers: [scripted(({ model }) => ({ choice: model === 'hasty' ? 'Yes' : 'No' }))],
})

const { verdict, rounds } = await roundtable.ask({
  question: 'Is 91 a prime?',
  options: ['Yes', 'No'],
  protocol: 'second-thoughts',
  seats: ['scripted/hasty', 'scripted/careful', 'scripted/doubter'],
}).result
console.log(`${rounds.length} rounds: ${verdict.line}`)
