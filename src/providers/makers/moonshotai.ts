/** Moonshot AI, the maker of Kimi. Kimi's temperature is fixed, and most Kimi models can only turn thinking on. */
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'

/** Kimi K2.7 and the thinking models always reason, and have no option for it. */
const effortFields = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> => {
  if (effort === undefined) return {}
  if (/^kimi-k3/.test(model)) return { reasoning_effort: effort === 'low' ? 'low' : 'high' }
  return {
    reasoning_effort: undefined,
    ...(/^kimi-k2\.[56]/.test(model) && { thinking: { type: 'enabled' } }),
  }
}

export const moonshotai = chatMaker({
  id: 'moonshotai',
  label: 'Moonshot AI',
  keys: ['MOONSHOT_API_KEY'],
  keyPage: 'https://platform.moonshot.ai/console/api-keys',
  baseURLVariable: 'MOONSHOT_BASE_URL',
  home: 'https://api.moonshot.ai/v1',
  dialect: {
    form: ({ model }) => (/^(?:kimi-k|moonshot-v1)/.test(model) ? 'schema' : 'object'),
    fields: call => ({
      max_tokens: undefined,
      max_completion_tokens: call.maxOutputTokens,
      seed: undefined,
      ...(/^kimi-/.test(call.model) && { temperature: undefined }),
      ...effortFields(call),
    }),
  },
})
