/** Groq, a host of open models. Which options a model accepts depends on its maker. */
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'

/** Qwen has no levels of effort, and writes its reasoning into the text unless `parsed` is asked for. */
const reasoningFields = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> => {
  if (model.startsWith('openai/gpt-oss')) return {}
  if (!model.startsWith('qwen/qwen3')) return { reasoning_effort: undefined }
  return { reasoning_format: 'parsed', reasoning_effort: effort && 'default' }
}

export const groq = chatMaker({
  id: 'groq',
  label: 'Groq',
  keys: ['GROQ_API_KEY'],
  keyPage: 'https://console.groq.com/keys',
  baseURLVariable: 'GROQ_BASE_URL',
  home: 'https://api.groq.com/openai/v1',
  dialect: {
    form: ({ model }) => (model.startsWith('openai/gpt-oss') ? 'schema' : 'object'),
    fields: call => ({
      max_tokens: undefined,
      max_completion_tokens: call.maxOutputTokens,
      ...reasoningFields(call),
    }),
  },
})
