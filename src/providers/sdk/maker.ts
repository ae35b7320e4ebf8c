/** What a maker adds to its AI SDK package: how to load it, and what the package gets wrong. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4ProviderTool,
} from '@ai-sdk/provider'
import type { Shape } from '../../core/question/form.ts'
import type { MakerSettings } from '../maker.ts'
import type { ModelCall, TokenUsage } from '../provider.ts'
import type { SearchTerms } from '../search/fees.ts'

export type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

export interface SdkSettings extends MakerSettings {
  /** Passed to the package: it waits as long as the call does, and handles replies that aren't streamed. */
  readonly fetch: typeof globalThis.fetch
}

/** Where a maker may say how often it searched: in its usage, or in what its package reports besides. */
export interface SaidOfSearch {
  readonly usage: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The maker's own search tool, which runs on its side. */
export interface SearchTool {
  readonly tool: LanguageModelV4ProviderTool
  readonly terms: (model: string) => SearchTerms
  /** How many searches a reply says it made. Absent, or undefined: as many as its stream shows calls of the tool. */
  readonly made?: (said: SaidOfSearch, model: string) => number | undefined
  /** The models that take it. Absent: all. */
  readonly models?: RegExp
  /** The models that take a JSON schema beside it. Others get the schema in the prompt. */
  readonly structured?: RegExp
}

export interface SdkMaker {
  readonly id: string
  readonly label: string
  /** Imports the maker's package and returns a model of it. `search`: it is to use the search tool. */
  model(connection: SdkSettings, id: string, search: boolean): Promise<LanguageModelV4>
  /** The media types of pictures that it takes, if those aren't all that can be attached. */
  readonly pictureMedia?: readonly string[]
  /** The maker's own options for this call. `shown`: whether to ask for the text of its reasoning. */
  readonly options?: (call: ModelCall, shown: boolean) => ProviderOptions
  /** Marks on a part of the message, such as a cache point. */
  readonly partOptions?: (call: ModelCall, index: number) => ProviderOptions | undefined
  /** Whether the maker enforces a JSON schema for this model; otherwise the schema goes into the prompt. */
  readonly structured?: (model: string) => boolean
  /** Absent: the maker has none that is known here. */
  readonly search?: SearchTool
  /** Rewrites a schema for a maker that wants more than a JSON schema says. */
  readonly schema?: (json: Shape['json']) => Shape['json']
  /** Corrects the usage that the package reads. */
  readonly usage?: (usage: TokenUsage, raw: Readonly<Record<string, unknown>>) => TokenUsage
  /**
   * The words of a refusal in one of the maker's events, if the package drops them or returns them as
   * text; '' for an event that belongs to a refusal but has no words.
   */
  readonly refusal?: (event: Readonly<Record<string, unknown>>) => string | undefined
  /** The list of the maker's models. It is also the cheapest request to check a key with. */
  readonly listing: (settings: MakerSettings) => {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
}
