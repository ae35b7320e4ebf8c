/** A maker of models, as known before anybody has a key for it. */
import type { Limits, ModelFacts, Provider } from './provider.ts'

export interface MakerSettings {
  readonly key?: string
  /** Replaces the maker's own address: a proxy, a regional host, a test. */
  readonly baseURL?: string
  readonly limits?: Limits
  /** What the catalogue knows about a model. */
  readonly known: (model: string) => ModelFacts
}

/** To add a maker, write one file that exports one of these, and one line in `list.ts`. */
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
