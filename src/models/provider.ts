/** The interface of a provider: one streaming call, and what is known about a model. */
import type { ModelError } from '../core/basics.ts'
import type { Usage } from '../core/event.ts'
import type { Shape } from '../core/form.ts'

/** A picture of the question. */
export interface CallPicture {
  /** The number of the exhibit, from 1. */
  readonly exhibit: number
  /** `image/png` and so on. */
  readonly media: string
  /** Base64. */
  readonly data: string
  /** About how many tokens it takes. */
  readonly tokens: number
}

export interface ModelCall {
  /** The model's id at this provider, without the provider's own name. */
  readonly model: string
  readonly system: string
  /** Parts of one message, the most shared first. */
  readonly user: readonly string[]
  /** How many of them, from the first on, other calls of this model repeat with the same form. Absent: none. */
  readonly shared?: number
  /** They come before the text. Only given to models that see. */
  readonly pictures?: readonly CallPicture[]
  /** The form of the reply. A provider asks for it in its own format, or in the prompt if it has none. */
  readonly shape: Shape
  readonly maxOutputTokens: number
  /** Silently left out if the model doesn't accept it. */
  readonly temperature?: number
  readonly seed?: number
  readonly effort?: 'low' | 'medium' | 'high'
  /** Search the web with the maker's own tool before answering. Only if `searches` says that the model can. */
  readonly search?: boolean
  readonly signal: AbortSignal
}

export type TokenUsage = Omit<Usage, 'costUsd' | 'estimated' | 'excessTokens' | 'subscription'>

/**
 * One piece of a reply. A stream of them never throws: a failure is an `error` part with the provider's
 * own words, and nothing follows it. Every stream ends in `finish` or `error`; a stream that just stops
 * was cut off. A reader that leaves early must abort the call's signal.
 */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** Reasoning that the provider shows, kept apart from the answer. */
  | { readonly type: 'thinking'; readonly text: string }
  /** The words with which the model declines. */
  | { readonly type: 'refusal'; readonly text: string }
  /** A page that the model's search found. */
  | { readonly type: 'source'; readonly address: string; readonly title?: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'filter' }
  | { readonly type: 'error'; readonly error: ModelError; readonly retryAfterMs?: number }

/** Dollars for a million tokens, and for a search. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input that the provider had cached; the input's price if absent. */
  readonly cachedInput?: number
  /** Input that the provider writes to its cache; the input's price if absent. */
  readonly cacheWrite?: number
  /** Hidden reasoning, if it is priced separately; the output's price if absent. */
  readonly reasoning?: number
  /** Dollars for one web search with the maker's own tool; the highest known fee if absent. */
  readonly search?: number
}

/** What is known about a model before it is called. An absent field is unknown, never zero. */
export interface ModelFacts {
  readonly name?: string
  readonly maker?: string
  /** Tokens of input and output together. */
  readonly context?: number
  readonly price?: Price
  /** Thinks before it answers, so hidden tokens are added to the answer's. */
  readonly reasoning?: boolean
  /** Takes pictures. */
  readonly sees?: boolean
  /** The day on which the provider turns it off, if its list says so: 2026-12-31. */
  readonly retires?: string
  /** So small that it gets short prompts and is asked for short answers. */
  readonly small?: true
}

export interface Limits {
  /** Calls at the same time. */
  readonly concurrency?: number
  readonly requestsPerMinute?: number
}

/** The models that a provider lists, and the days on which it turns some of them off. */
export interface ListedModels {
  readonly models: readonly string[]
  readonly retires?: Readonly<Record<string, string>>
}

export interface Provider {
  /** The part before the slash in `lab/model-name`. */
  readonly id: string
  readonly label: string
  /** The replies are written in advance. */
  readonly scripted?: boolean
  /** An agent on this machine, which the person's own subscription pays: no call has a price in dollars. */
  readonly subscription?: boolean
  readonly limits?: Limits
  /** The environment variable that its key comes from. Absent: it has none, or it was entered on a page. */
  readonly keyVariable?: string
  /** The media types of pictures that it takes, if those aren't all that can be attached. */
  readonly pictureMedia?: readonly string[]
  stream(call: ModelCall): AsyncIterable<ModelPart>
  /** How many web searches one call may make with a tool of the maker. 0, or absent: the model can't search. */
  searches?(model: string): number
  /** What is known about a model without a request. */
  known(model: string): ModelFacts
  /** The same, but may ask the provider once. Never fails. */
  facts(model: string, signal?: AbortSignal): Promise<ModelFacts>
  /** The models that the provider lists. */
  list(signal?: AbortSignal): Promise<ListedModels | { readonly error: ModelError }>
}

// cacheMarks: Which parts of a message end at a cache mark, for makers that cache nothing without one: the question, and what else
// other calls repeat. A mark is charged for, so a part that nobody repeats has none.

export const isMarked = ({ shared = 0 }: Pick<ModelCall, 'shared'>, index: number): boolean =>
  index < shared && (index === 0 || index === shared - 1)

// maker: A maker of models, as known before anybody has a key for it.

export interface MakerSettings {
  readonly key?: string
  /** Replaces the maker's own address: a proxy, a regional host, a test. */
  readonly baseURL?: string
  readonly limits?: Limits
  /** What the catalogue knows about a model. */
  readonly known: (model: string) => ModelFacts
}

/** To add a maker, write one of these in `makers.ts`, and add it to the list there. */
export interface Maker {
  /** The part before the slash in `openai/gpt-5.5`; also the maker's name in the catalogue. */
  readonly id: string
  readonly label: string
  /** Variables that may hold the key, the usual one first. Empty if no key is needed. */
  readonly keys: readonly string[]
  /** The page where people get a key. */
  readonly keyPage?: string
  /** The variable that may hold another address. */
  readonly baseURLVariable: string
  /** Loads nothing: the first call loads the maker's package. */
  connect(settings: MakerSettings): Provider
}

// pictureLabel: The words before a picture, so that a model knows which exhibit it is. Its name is in the prompt, behind a fence.

export const pictureLabel = ({ exhibit }: CallPicture): string => `Exhibit ${exhibit}:`

export const pictureAddress = ({ media, data }: CallPicture): string => `data:${media};base64,${data}`

// fees: What a search costs besides its tokens, in dollars, and how many of them one call may make. Looked up in November 2026.

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

// A queue of parts: holds the parts of a reply between the network and the reader.

export type TextType = 'text' | 'thinking' | 'refusal'

type Result = IteratorResult<ModelPart, undefined>
type Waiting = { type: TextType; text: string } | Exclude<ModelPart, { type: TextType }>

const isText = (part: Waiting | undefined): part is { type: TextType; text: string } =>
  part !== undefined && 'text' in part

/**
 * A queue with one reader. Text that arrives before it is read is joined, so a slow reader, or a network
 * that brings many tokens at once, costs one step and not one for each token.
 */
export class PartQueue implements AsyncIterableIterator<ModelPart, undefined> {
  readonly #parts: Waiting[] = []
  readonly #settle: (left: boolean) => void
  #reader: ((result: Result) => void) | undefined
  #waking = false
  #over = false

  /** `settle` is called once: after the last part was added, or when the reader leaves before that. */
  constructor(settle: (left: boolean) => void) {
    this.#settle = settle
  }

  /** Nothing more can be added. */
  get over(): boolean {
    return this.#over
  }

  addText(type: TextType, text: string): void {
    if (this.#over || text === '') return
    const last = this.#parts.at(-1)
    if (isText(last) && last.type === type) last.text += text
    else this.#parts.push({ type, text })
    this.#wake()
  }

  /** Adds a source, a usage, or the last part. */
  add(part: Exclude<ModelPart, { type: TextType }>): void {
    if (this.#over) return
    this.#parts.push(part)
    this.#wake()
    if (part.type === 'usage' || part.type === 'source') return
    this.#over = true
    this.#settle(false)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    const part = this.#parts.shift()
    if (part) return Promise.resolve({ value: part, done: false })
    if (this.#over) return Promise.resolve({ value: undefined, done: true })
    return new Promise(resolve => {
      this.#reader = resolve
    })
  }

  return(): Promise<Result> {
    const left = !this.#over
    this.#over = true
    this.#parts.length = 0
    this.#reader?.({ value: undefined, done: true })
    this.#reader = undefined
    if (left) this.#settle(true)
    return Promise.resolve({ value: undefined, done: true })
  }

  /** Wakes the reader after the current network chunk, so that all tokens of the chunk are joined first. */
  #wake(): void {
    if (!this.#reader || this.#waking) return
    this.#waking = true
    queueMicrotask(() => {
      this.#waking = false
      const reader = this.#reader
      const part = this.#parts.shift()
      if (!reader || !part) return
      this.#reader = undefined
      reader({ value: part, done: false })
    })
  }
}
