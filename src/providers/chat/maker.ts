/** Makes a maker that speaks chat completions, with its own dialect. */

import type { Maker } from '../maker.ts'
import type { ModelFacts } from '../provider.ts'
import { withSearchFee } from '../search/fees.ts'
import type { ChatDialect } from './dialect.ts'
import { openAICompatible } from './openai-compatible.ts'

export interface ChatMaker extends Omit<Maker, 'connect'> {
  /** The maker's own address, up to and including the version. */
  readonly home: string
  readonly dialect?: ChatDialect
}

const isKnown = (facts: ModelFacts): boolean => Object.keys(facts).length > 0

export const chatMaker = ({ home, dialect = {}, ...maker }: ChatMaker): Maker => ({
  ...maker,
  connect({ key, baseURL = home, limits, known }) {
    const { id, label } = maker
    const provider = openAICompatible({
      id,
      label,
      baseURL,
      dialect,
      ...(key && { key }),
      ...(limits && { limits }),
    })
    const withFee = (facts: ModelFacts): ModelFacts => withSearchFee(facts, dialect.searchTerms)
    return {
      ...provider,
      known: model => withFee(known(model)),
      // The maker's own list may have the price of a model that is newer than the catalogue.
      facts: async (model, signal) =>
        withFee(isKnown(known(model)) ? known(model) : await provider.facts(model, signal)),
    }
  },
})
