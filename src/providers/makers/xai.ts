/** xAI, over its responses API. */
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { responsesRefusal } from '../sdk/responses-refusal.ts'

const home = 'https://api.x.ai/v1'

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
        options: () => ({ xai: { store: false } }),
        refusal: responsesRefusal,
        search: {
          tool: { type: 'provider', id: 'xai.web_search', name: 'web_search', args: {} },
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
