/** Mistral, over its own variant of chat completions. */
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { makerSearch } from '../search/fees.ts'

const home = 'https://api.mistral.ai/v1'

/** The part of the usage that the package drops. */
interface MistralUsage {
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

export const mistral: Maker = {
  id: 'mistral',
  label: 'Mistral',
  keys: ['MISTRAL_API_KEY'],
  keyPage: 'https://console.mistral.ai/api-keys',
  baseURLVariable: 'MISTRAL_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'mistral',
        label: 'Mistral',
        async model({ key = '', baseURL = home, fetch }, id, search) {
          const { createMistral } = await import('@ai-sdk/mistral')
          const maker = createMistral({ apiKey: key, baseURL, fetch })
          return search ? maker.conversation(id) : maker(id)
        },
        options: () => ({ mistral: { strictJsonSchema: true } }),
        usage(usage, raw: MistralUsage) {
          const reasoningTokens = raw.completion_tokens_details?.reasoning_tokens
          return { ...usage, ...(reasoningTokens && { reasoningTokens }) }
        },
        // Searching models are called over the conversations API, which gets the schema in words.
        search: {
          tool: { type: 'provider', id: 'mistral.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.mistral,
        },
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}
