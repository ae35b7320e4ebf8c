/** OpenAI, over its responses API. */
import type { Maker } from '../maker.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { responsesRefusal } from '../sdk/responses-refusal.ts'
import { makerSearch } from '../search/fees.ts'

const home = 'https://api.openai.com/v1'

export const openai: Maker = {
  id: 'openai',
  label: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  keyPage: 'https://platform.openai.com/api-keys',
  baseURLVariable: 'OPENAI_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'openai',
        label: 'OpenAI',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createOpenAI } = await import('@ai-sdk/openai')
          return createOpenAI({ apiKey: key, baseURL, fetch }).responses(id)
        },
        // By default the maker would store the session.
        options: ({ search }, shown) => ({
          openai: {
            ...{ store: false, reasoningSummary: shown ? 'auto' : null },
            ...(search && { maxToolCalls: makerSearch.openai.most }),
          },
        }),
        refusal: responsesRefusal,
        search: {
          tool: { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.openai,
          models: /^(?:gpt-[5-9]|gpt-4\.1(?!-nano)|gpt-4o|o[34])/,
          structured: /./,
        },
        listing: ({ key, baseURL = home }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}
