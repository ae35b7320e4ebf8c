/** DeepSeek. It enforces JSON but not a schema, and its reasoning models don't accept a temperature. */
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'

const reasons = ({ model, effort }: ModelCall): boolean =>
  effort !== undefined || /^deepseek-(?:v\d|flash|pro|reasoner)/.test(model)

export const deepseek = chatMaker({
  id: 'deepseek',
  label: 'DeepSeek',
  keys: ['DEEPSEEK_API_KEY'],
  keyPage: 'https://platform.deepseek.com/api_keys',
  baseURLVariable: 'DEEPSEEK_BASE_URL',
  home: 'https://api.deepseek.com',
  dialect: {
    form: () => 'object',
    fields: call => ({
      seed: undefined,
      ...(reasons(call) && { temperature: undefined }),
      ...(call.effort && {
        thinking: { type: 'enabled' },
        // It doesn't have a medium effort.
        reasoning_effort: call.effort === 'low' ? 'low' : 'high',
      }),
    }),
  },
})
