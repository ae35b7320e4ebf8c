/** Google, over the Gemini API. */
import type { Maker } from '../maker.ts'
import type { ProviderOptions } from '../sdk/maker.ts'
import { withPropertyOrder } from '../sdk/property-order.ts'
import { sdkProvider } from '../sdk/provider.ts'
import { makerSearch, type SearchTerms } from '../search/fees.ts'

const home = 'https://generativelanguage.googleapis.com/v1beta'

const isFrom3On = (model: string): boolean => /^gemini-[3-9]/.test(model)

const termsFor = (model: string): SearchTerms =>
  isFrom3On(model) ? makerSearch.google : makerSearch.googleByPrompt

/** What its package reports of a search. */
interface GoogleMetadata {
  readonly google?: {
    readonly groundingMetadata?: { readonly webSearchQueries?: readonly string[] | null } | null
  }
}

export const google: Maker = {
  id: 'google',
  label: 'Google',
  keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  keyPage: 'https://aistudio.google.com/apikey',
  baseURLVariable: 'GOOGLE_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'google',
        label: 'Google',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createGoogle } = await import('@ai-sdk/google')
          return createGoogle({ apiKey: key, baseURL, fetch })(id)
        },
        // Google's open models don't show reasoning.
        options: ({ model }, shown): ProviderOptions =>
          shown && model.startsWith('gemini')
            ? { google: { thinkingConfig: { includeThoughts: true } } }
            : {},
        // GIF isn't among them.
        pictureMedia: ['image/png', 'image/jpeg', 'image/webp'],
        schema: withPropertyOrder,
        // Only from Gemini 3 on can a schema be combined with a search.
        search: {
          tool: { type: 'provider', id: 'google.google_search', name: 'google_search', args: {} },
          terms: termsFor,
          made({ metadata }: { metadata: GoogleMetadata }, model) {
            const queries = metadata.google?.groundingMetadata?.webSearchQueries?.length ?? 0
            return isFrom3On(model) ? queries : Math.min(queries, 1)
          },
          models: /^gemini-(?!1)/,
          structured: /^gemini-[3-9]/,
        },
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/models?pageSize=1000`,
          headers: { 'x-goog-api-key': key },
        }),
      },
      settings,
    ),
}
