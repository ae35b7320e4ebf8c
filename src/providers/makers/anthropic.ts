/** Anthropic, over its messages API. */
import { isMarked } from '../cache-marks.ts'
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { makerSearch } from '../search/fees.ts'

const home = 'https://api.anthropic.com/v1'

interface AnthropicUsage {
  readonly server_tool_use?: { readonly web_search_requests?: number } | null
}

export const anthropic: Maker = {
  id: 'anthropic',
  label: 'Anthropic',
  keys: ['ANTHROPIC_API_KEY'],
  keyPage: 'https://console.anthropic.com/settings/keys',
  baseURLVariable: 'ANTHROPIC_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'anthropic',
        label: 'Anthropic',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createAnthropic } = await import('@ai-sdk/anthropic')
          return createAnthropic({ apiKey: key, baseURL, fetch })(id)
        },
        partOptions: (call, index) =>
          isMarked(call, index) ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined,
        refusal({ delta }) {
          const { stop_details: details } = (delta ?? {}) as {
            stop_details?: { explanation?: string } | null
          }
          return details?.explanation
        },
        // Its search always cites, and that can't be combined with a schema.
        search: {
          tool: {
            ...({ type: 'provider', id: 'anthropic.web_search_20250305', name: 'web_search' } as const),
            args: { maxUses: makerSearch.anthropic.most },
          },
          terms: () => makerSearch.anthropic,
          made: ({ usage }: { usage: AnthropicUsage }) => usage.server_tool_use?.web_search_requests,
          models: /^claude-(?!2|instant|3-(?:opus|sonnet|haiku))/,
        },
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/models?limit=1000`,
          headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        }),
      },
      settings,
    ),
}
