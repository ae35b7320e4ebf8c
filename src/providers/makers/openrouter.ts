/** OpenRouter, a way to nearly every model. */
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'

/** Elsewhere sold as "Grok 4.20 Reasoning" and seated here under that name; here it reasons only when asked to. */
const reasonsWhenAsked = /^x-ai\/grok-4\.20(?::|$)/

const reasoning = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> | undefined => {
  if (effort) return { effort }
  return reasonsWhenAsked.test(model) ? { enabled: true } : undefined
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
    // The common list needs no key, so a wrong one would pass for right.
    listing: 'models/user',
    fields: call => ({ reasoning_effort: undefined, reasoning: reasoning(call) }),
  },
})
