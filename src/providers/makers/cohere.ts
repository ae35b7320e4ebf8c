/** Cohere, over its chat API. */
import type { Maker } from '../maker.ts'
import type { ProviderOptions } from '../sdk/maker.ts'
import { sdkProvider } from '../sdk/provider.ts'

const home = 'https://api.cohere.com/v2'

/** Cohere adds text of its own to a prompt and doesn't bill it, so the billed units count. */
interface CohereUsage {
  readonly billed_units?: { readonly input_tokens: number; readonly output_tokens: number } | null
  readonly cached_tokens?: number | null
}

/** Thinking counts towards the answer's token limit, so it gets only a share of it. */
const thinkingShare = { low: 0.2, medium: 0.4, high: 0.6 } as const

export const cohere: Maker = {
  id: 'cohere',
  label: 'Cohere',
  keys: ['COHERE_API_KEY', 'CO_API_KEY'],
  keyPage: 'https://dashboard.cohere.com/api-keys',
  baseURLVariable: 'COHERE_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'cohere',
        label: 'Cohere',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createCohere } = await import('@ai-sdk/cohere')
          return createCohere({ apiKey: key, baseURL, fetch })(id)
        },
        options: ({ effort, maxOutputTokens }): ProviderOptions => {
          if (effort === undefined) return {}
          const tokenBudget = Math.floor(maxOutputTokens * thinkingShare[effort])
          return { cohere: { thinking: { type: 'enabled', tokenBudget } } }
        },
        usage(usage, { billed_units: billed, cached_tokens: cached }: CohereUsage) {
          const inputTokens = billed?.input_tokens ?? usage.inputTokens
          const cachedTokens = Math.min(cached ?? 0, inputTokens)
          return {
            ...usage,
            inputTokens,
            outputTokens: billed?.output_tokens ?? usage.outputTokens,
            ...(cachedTokens > 0 && { cachedTokens }),
          }
        },
        // The list of models is only in the older version of the API.
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL.replace(/\/v2$/, '/v1')}/models?page_size=1000&endpoint=chat`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}
