/** What a maker's test tells of the maker: its format, its words, its figures. */
import type { ModelErrorKind } from '../../src/core/errors.ts'
import type { Maker } from '../../src/providers/maker.ts'
import type { ModelCall, TokenUsage } from '../../src/providers/provider.ts'
import type { WireReply, WireRequest } from './wire.ts'

export const key = 'sk-maker-0123456789abcdef'

/** What a maker is to say in its own format. */
export interface Said {
  readonly thinking?: string
  readonly text?: string
  /** In the maker's own form, where it has one. */
  readonly refusal?: string
  /** The maker's own word; that of a complete reply where it is not given. */
  readonly finish?: string
  /** The maker's own figures; some where they are not given. */
  readonly usage?: unknown
}

export interface WireFormat {
  /** Of the addresses below, such as `/v1`. */
  readonly basePath: string
  /** The model that a request is for. */
  modelOf(request: WireRequest): string
  /** The events of a streamed reply: those with its words, and those that end it. */
  events(said: Said): { readonly words: readonly string[]; readonly end: readonly string[] }
  /** The same in one body. */
  whole(said: Said): unknown
}

export interface RequestCase {
  /** What is special about it, for the test's title. */
  readonly title: string
  readonly model: string
  readonly call?: Partial<ModelCall>
  /** With the query, without the base path. */
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
  /** The maker's own words, that must stand in the error's. */
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
  /** One or more for each kind; `wrong-key` is tried with the key in its words, too. */
  readonly errors: readonly ErrorCase[]
  /** An event that ends a reply which began well, where the format has one. */
  readonly midway?: { readonly event: string; readonly kind: ModelErrorKind; readonly words: string }
  /** Said things and how a stream of them ends. */
  readonly endings: readonly { readonly said: Said; readonly ends: 'length' | 'filter' | 'stop' }[]
  /** The refusal's words come as a `refusal` part. */
  readonly refuses?: boolean
  /** False where the format has no reasoning text. */
  readonly thinks?: boolean
  /** How the maker turns down a schema, and whether a request asks for one; absent where it takes none. */
  readonly schema?: { readonly refused: WireReply; readonly asked: (request: WireRequest) => boolean }
  readonly listing: {
    /** Where it is another one than that of the calls. */
    readonly basePath?: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly models: readonly string[]
  }
}
