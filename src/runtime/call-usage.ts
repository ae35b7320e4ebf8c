/** What a call used: the provider's figures as far as they can be figures, or an estimate from the text. */
import { largestAmount } from '../core/log/bounds.ts'
import type { Usage } from '../core/log/spent.ts'
import type { Price, TokenUsage } from '../providers/provider.ts'
import type { Heard } from './attempt.ts'
import { costOf, mostOvercount } from './budget.ts'
import { tokensIn } from './tokens.ts'

/** What two calls used together. An unknown cost stays unknown. */
export const plus = (one: Usage | undefined, other: Usage): Usage => {
  if (!one) return other
  const cost = one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd
  const sum = (key: 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'searches' | 'excessTokens') =>
    one[key] === undefined && other[key] === undefined ? {} : { [key]: (one[key] ?? 0) + (other[key] ?? 0) }
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...sum('cachedTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
    ...sum('searches'),
    ...sum('excessTokens'),
    costUsd: cost,
    ...((one.estimated || other.estimated) && { estimated: true }),
    ...((one.subscription || other.subscription) && { subscription: true as const }),
  }
}

/** What was known about a call before its reply came. In tokens, besides the searches. */
export interface Allowed {
  readonly promptTokens: number
  readonly maxOutputTokens: number
  /** How many searches it might make. Absent: it couldn't search. */
  readonly searches?: number | undefined
  /** The most that the call may use, input and output together. */
  readonly reserved: number
  readonly price: Price | undefined
  readonly subscription?: boolean | undefined
}

/** No call uses more, and a log takes the sum of a thousand such calls. */
const largestFigure = largestAmount / 1_000

/** Negative figures would give a budget more room than it had, and a log can't hold infinite ones. */
const believable = (usage: TokenUsage | undefined): TokenUsage | undefined => {
  const figures = Object.entries(usage ?? {}).filter(([, figure]) => figure !== undefined)
  if (!usage || figures.some(([, figure]) => !(figure >= 0))) return undefined
  return {
    ...usage,
    ...Object.fromEntries(figures.map(([name, figure]) => [name, Math.min(figure, largestFigure)])),
  }
}

/** What a reply without figures used. Without a word, it used nothing or, if it hit its limit, all that it was allowed. */
const outputIn = ({ text, thinking, refusal, finish, cut }: Heard, allowed: number): number => {
  const counted = tokensIn(text + thinking + refusal)
  if (cut || counted > allowed * mostOvercount) return counted
  return counted === 0 && finish === 'length' ? allowed : Math.min(counted, allowed)
}

export const usageOf = (heard: Heard, allowed: Allowed): Usage | undefined => {
  const { promptTokens, maxOutputTokens, searches, reserved, price, subscription } = allowed
  const reported = believable(heard.usage)
  const outputTokens = outputIn(heard, maxOutputTokens)
  if (!reported && outputTokens === 0 && !heard.found) return undefined
  const usage: TokenUsage = {
    // Somebody who doesn't say how often they searched may have done so as often as they could.
    ...(searches && { searches }),
    ...(reported ?? { inputTokens: promptTokens, outputTokens }),
  }
  const excessTokens = usage.inputTokens + usage.outputTokens - reserved
  return {
    ...usage,
    ...(excessTokens > 0 && { excessTokens }),
    costUsd: price ? costOf(usage, price) : null,
    ...(!reported && { estimated: true }),
    ...(subscription && { subscription: true as const }),
  }
}
