/** Cerebras, a fast host of open models. It speaks plain chat completions, with another name for the token limit. */
import { chatMaker } from '../chat/maker.ts'

export const cerebras = chatMaker({
  id: 'cerebras',
  label: 'Cerebras',
  keys: ['CEREBRAS_API_KEY'],
  keyPage: 'https://cloud.cerebras.ai',
  baseURLVariable: 'CEREBRAS_BASE_URL',
  home: 'https://api.cerebras.ai/v1',
  dialect: {
    fields: call => ({ max_tokens: undefined, max_completion_tokens: call.maxOutputTokens }),
  },
})
