/** Cerebras, a fast host of open models. It speaks chat completions as they are, under another name for the limit. */
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
