/** xAI, over its responses API. */
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { responsesRefusal } from '../sdk/responses-refusal.ts'
import { makerSearch } from '../search/fees.ts'

const home = 'https://api.x.ai/v1'

/** Only calls that succeeded, which are those that it charges for. The search is the only tool that it gets. */
interface XaiUsage {
  readonly num_server_side_tools_used?: number
  readonly server_side_tool_usage_details?: { readonly web_search_calls?: number } | null
}

export const xai: Maker = {
  id: 'xai',
  label: 'xAI',
  keys: ['XAI_API_KEY'],
  keyPage: 'https://console.x.ai',
  baseURLVariable: 'XAI_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'xai',
        label: 'xAI',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createXai } = await import('@ai-sdk/xai')
          return createXai({ apiKey: key, baseURL, fetch }).responses(id)
        },
        pictureMedia: ['image/png', 'image/jpeg'],
        // By default the maker would store the session.
        options: ({ search }) => ({
          xai: {
            store: false,
            // One search in each turn.
            ...(search && { maxTurns: makerSearch.xai.most, parallelToolCalls: false }),
          },
        }),
        refusal: responsesRefusal,
        search: {
          tool: { type: 'provider', id: 'xai.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.xai,
          made: ({ usage }: { usage: XaiUsage }) =>
            usage.server_side_tool_usage_details?.web_search_calls ?? usage.num_server_side_tools_used,
          models: /^grok-(?![123]\b)/,
          structured: /./,
        },
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}
