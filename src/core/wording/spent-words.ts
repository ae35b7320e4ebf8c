/** What a call took, in words. */
import type { HandedIn } from '../log/state.ts'
import { duration } from './durations.ts'
import { spentCost } from './money.ts'
import { counted, shortNumber, wholeNumber } from './numbers.ts'

type Spent = Pick<HandedIn, 'usage' | 'timing' | 'late'>

/** For an answer that came after its round had gone on without it. */
export const lateWord = 'late'

/** Nothing if the price is unknown. */
export const knownCost = (usage: Spent['usage']): string => (usage ? spentCost(usage, '') : '')

/** "213", or "~213" if the provider gave no figures. */
export const outputTokens = (usage: NonNullable<Spent['usage']>): string =>
  `${usage.estimated ? '~' : ''}${shortNumber(usage.outputTokens)}`

/** "late", "213 tokens", "4.2 s", "2 tries", "$0.0012" */
export const spentParts = ({ usage, timing, late }: Spent): string[] =>
  [
    late === undefined ? undefined : lateWord,
    usage && `${outputTokens(usage)} tokens`,
    timing && duration(timing.total),
    timing && timing.attempts > 1 ? counted(timing.attempts, 'try', 'tries') : undefined,
    knownCost(usage),
  ].filter((part): part is string => Boolean(part))

/** " (2 searches)", after a cost that has their fees. */
export const searchWords = ({ searches = 0 }: { readonly searches?: number | undefined }): string =>
  searches > 0 ? ` (${counted(searches, 'search', 'searches')})` : ''

/** " (3,200 cached)", after a number of input tokens; nothing if the provider had cached none of them. */
export const cachedWords = ({ cachedTokens = 0 }: { readonly cachedTokens?: number | undefined }): string =>
  cachedTokens > 0 ? ` (${wholeNumber(cachedTokens)} cached)` : ''
