/** What a session would take: calls, tokens, dollars and seconds, as ranges. */
import type { SessionOpened } from '../core/event.ts'
import { questionPart } from '../protocols/brief.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Expectation, Load } from '../protocols/protocol.ts'
import type { Price, Provider } from '../providers/provider.ts'
import { costOf } from './budget.ts'
import { resolveModel } from './context.ts'
import { tokensIn } from './tokens.ts'

export interface Range {
  readonly low: number
  readonly high: number
}

export interface Estimate {
  readonly calls: Range
  readonly inputTokens: Range
  readonly outputTokens: Range
  /** Null: the price of a model is unknown. */
  readonly costUsd: Range | null
  readonly seconds: Range
  /** What the figures leave out, in words. */
  readonly notes: readonly string[]
}

/** A short answer and a long one, with their instructions; and how long a call takes. */
const answerTokens: Range = { low: 200, high: 700 }
const instructionTokens = 350
const secondsPerStage: Range = { low: 4, high: 40 }

/** The table's mean price: every seat is asked about as much as any other. */
const meanPrice = (prices: readonly Price[]): Price => {
  const mean = (pick: (price: Price) => number): number =>
    prices.reduce((sum, price) => sum + pick(price), 0) / prices.length
  return { input: mean(price => price.input), output: mean(price => price.output) }
}

export const estimateOf = (
  opened: Omit<SessionOpened, 'language'>,
  providers: readonly Provider[],
): Estimate => {
  const protocol = protocolNamed(opened.protocol)
  const question = tokensIn(questionPart(opened.question)) + instructionTokens
  const open = opened.question.format === 'open'
  const expect = (rounds: number, answer: number): Expectation => {
    const load: Load = { seats: opened.seats.length, rounds, question, answer, open }
    return protocol.expect(load)
  }
  // Hybrid may stop after the sealed round; the others run all of their rounds.
  const low = expect(protocol.id === 'hybrid' ? 0 : opened.rounds, answerTokens.low)
  const high = expect(opened.rounds, answerTokens.high)
  const names = [...opened.seats.map(seat => seat.model), ...(opened.moderator ? [opened.moderator] : [])]
  const facts = names.map(name => {
    const { provider, model } = resolveModel(providers, name)
    return { name, price: provider.known(model).price }
  })
  const unpriced = [...new Set(facts.filter(({ price }) => !price).map(({ name }) => name))]
  const price = meanPrice(facts.flatMap(({ price: one }) => one ?? []))
  const stages = { low: 2, high: 2 + opened.rounds * 2 + (open ? 4 : 0) }
  return {
    calls: { low: low.calls, high: high.calls },
    inputTokens: { low: low.inputTokens, high: high.inputTokens },
    outputTokens: { low: low.outputTokens, high: high.outputTokens },
    costUsd: unpriced.length > 0 ? null : { low: costOf(low, price), high: costOf(high, price) },
    seconds: { low: stages.low * secondsPerStage.low, high: stages.high * secondsPerStage.high },
    notes: unpriced.length > 0 ? [`The price of ${unpriced.join(', ')} is unknown.`] : [],
  }
}
