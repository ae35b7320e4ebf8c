/** What a maker adds to its AI SDK package: how to load it, and where the package needs help. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { MakerSettings } from '../maker.ts'
import type { ModelCall, TokenUsage } from '../provider.ts'

export type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

export interface SdkSettings extends MakerSettings {
  /** To be handed to the package: waits as long as the call does, and copes with replies that are no stream. */
  readonly fetch: typeof globalThis.fetch
}

export interface SdkMaker {
  readonly id: string
  readonly label: string
  /** Imports the maker's package and gives a model of it. */
  model(connection: SdkSettings, id: string): Promise<LanguageModelV4>
  /** The maker's own way to ask for what `call` wants. `shown`: its reasoning may be asked for in words. */
  readonly options?: (call: ModelCall, shown: boolean) => ProviderOptions
  /** Marks on a part of the message, such as a cache point; the first part is the most shared. */
  readonly partOptions?: (index: number) => ProviderOptions | undefined
  /** Whether the model can be held to a JSON schema; otherwise the schema stands in the prompt. */
  readonly structured?: (model: string) => boolean
  /** Corrects what the package makes of the maker's figures. */
  readonly usage?: (usage: TokenUsage, raw: Readonly<Record<string, unknown>>) => TokenUsage
  /**
   * The words of a refusal in an event of the maker's, where the package drops them or gives them as
   * text; '' for an event that is a part of one without words.
   */
  readonly refusal?: (event: Readonly<Record<string, unknown>>) => string | undefined
  /** Where the maker lists its models: the cheapest call that a key can be tried with. */
  readonly listing: (settings: MakerSettings) => {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
}
