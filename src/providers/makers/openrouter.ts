/** OpenRouter, which routes to nearly every model. */
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'
import { makerSearch } from '../search/fees.ts'

/** Other hosts call it "Grok 4.20 Reasoning", and it is seated under that name. On OpenRouter it reasons only if asked. */
const reasonsIfAsked = /^x-ai\/grok-4\.20(?::|$)/

const reasoning = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> | undefined => {
  if (effort) return { effort }
  return reasonsIfAsked.test(model) ? { enabled: true } : undefined
}

export const openrouter = chatMaker({
  id: 'openrouter',
  label: 'OpenRouter',
  keys: ['OPENROUTER_API_KEY'],
  keyPage: 'https://openrouter.ai/settings/keys',
  baseURLVariable: 'OPENROUTER_BASE_URL',
  home: 'https://openrouter.ai/api/v1',
  dialect: {
    marks: model => model.startsWith('anthropic/'),
    // One search before the model is called. Without a named engine some models would search on their own, without a limit.
    search: { plugins: [{ id: 'web', engine: 'exa', max_results: 5 }] },
    searchTerms: makerSearch.openrouter,
    // The usual list doesn't need a key, so a wrong key would look right.
    listing: 'models/user',
    fields: call => ({ reasoning_effort: undefined, reasoning: reasoning(call) }),
  },
})
