/** What a search costs besides its tokens, in dollars, and how many of them one call may make. Looked up in November 2026. */
import type { ModelFacts } from '../provider.ts'

export interface SearchTerms {
  /** For each search. */
  readonly usd: number
  /** Searches of one call. Where the maker's tool takes a limit it gets this one; otherwise so many are reserved. */
  readonly most: number
}

/** Google's for a prompt of Gemini 2.5. It counts if nobody knows the fee, as decision 5 has it for tokens. */
export const dearestSearch = 0.035

/** Makers' own tools. */
export const makerSearch = {
  /** $10 for 1,000 calls of `web_search`, any model: platform.openai.com/docs/pricing, built-in tools. */
  openai: { usd: 0.01, most: 5 },
  /** $10 for 1,000 searches: platform.claude.com/docs, web search tool. */
  anthropic: { usd: 0.01, most: 5 },
  /** From Gemini 3 on $14 for 1,000 queries, of which a prompt may make several: ai.google.dev/gemini-api/docs/pricing. */
  google: { usd: 0.014, most: 10 },
  /** Up to Gemini 2.5 $35 for 1,000 prompts, however many queries each makes: the same page. */
  googleByPrompt: { usd: dearestSearch, most: 1 },
  /** $5 for 1,000 calls: docs.x.ai/developers/pricing, tools. */
  xai: { usd: 0.005, most: 5 },
  /** No price that could be checked: the dearest known. */
  mistral: { usd: dearestSearch, most: 5 },
  /** $4 for 1,000 results of Exa, and we ask for five: openrouter.ai/docs/features/web-search. */
  openrouter: { usd: 0.02, most: 1 },
} as const satisfies Readonly<Record<string, SearchTerms>>

/** Search endpoints, for one query. */
export const endpointFees: Readonly<Record<string, number>> = {
  /** A server of the person's own. */
  searxng: 0,
  /** $5 for 1,000 requests: api-dashboard.search.brave.com. */
  brave: 0.005,
  /** One credit at $0.008: docs.tavily.com/documentation/api-credits. */
  tavily: 0.008,
}

/** What is known about a model, with the fee in its price. */
export const withSearchFee = (facts: ModelFacts, terms: SearchTerms | undefined): ModelFacts =>
  facts.price && terms ? { ...facts, price: { ...facts.price, search: terms.usd } } : facts
