/** What a maker's test says about the maker: its format, its words, its figures. */
import type { ModelErrorKind } from '../../src/core/basics.ts'
import type { Maker, ModelCall, TokenUsage } from '../../src/models/provider.ts'
import type { WireReply, WireRequest } from './wire.ts'

export const key = 'sk-maker-0123456789abcdef'

/** What a maker should say in its own format. */
export interface Said {
  readonly thinking?: string
  readonly text?: string
  /** In the maker's own form, if it has one. */
  readonly refusal?: string
  /** The maker's own word; by default the word for a complete reply. */
  readonly finish?: string
  /** The maker's own figures; there is a default. */
  readonly usage?: unknown
}

export interface WireFormat {
  /** The base path of the addresses below, such as `/v1`. */
  readonly basePath: string
  /** The model that a request names. */
  modelOf(request: WireRequest): string
  /** The events of a streamed reply: those with its words, and those that end it. */
  events(said: Said): { readonly words: readonly string[]; readonly end: readonly string[] }
  /** The same reply in one body. */
  whole(said: Said): unknown
}

export interface RequestCase {
  /** What is special about it; a part of the test's title. */
  readonly title: string
  readonly model: string
  readonly call?: Partial<ModelCall>
  /** Includes the query, but not the base path. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, field by field. */
  readonly body: (call: ModelCall) => Readonly<Record<string, unknown>>
}

export interface ErrorCase {
  readonly kind: ModelErrorKind
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The maker's own words, which the error must contain. */
  readonly words: string
  readonly retryAfterMs?: number
}

export interface MakerRecord {
  readonly maker: Maker
  readonly wire: WireFormat
  /** The model that most tests call. */
  readonly model: string
  readonly requests: readonly RequestCase[]
  readonly usages: readonly {
    readonly title: string
    readonly raw: unknown
    readonly usage: TokenUsage
  }[]
  /** One or more for each kind; `wrong-key` is also tried with the key in its message. */
  readonly errors: readonly ErrorCase[]
  /** An event that ends a reply which began well, if the format has one. */
  readonly midway?: { readonly event: string; readonly kind: ModelErrorKind; readonly words: string }
  /** Replies, and how their streams end. */
  readonly endings: readonly { readonly said: Said; readonly ends: 'length' | 'filter' | 'stop' }[]
  /** The refusal's words come as a `refusal` part. */
  readonly refuses?: boolean
  /** False if the format has no reasoning text. */
  readonly thinks?: boolean
  /** How the maker refuses a schema, and whether a request has one; absent if it doesn't support schemas. */
  readonly schema?: { readonly refused: WireReply; readonly asked: (request: WireRequest) => boolean }
  readonly listing: {
    /** If it isn't the model of the other calls. */
    readonly basePath?: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly models: readonly string[]
  }
}
