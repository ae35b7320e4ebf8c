/** Z.ai, the maker of GLM. Any effort just turns thinking on, and no model enforces a schema. */
import { chatMaker } from '../chat/maker.ts'

export const zai = chatMaker({
  id: 'zai',
  label: 'Z.ai',
  keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
  keyPage: 'https://z.ai/manage-apikey/apikey-list',
  baseURLVariable: 'ZAI_BASE_URL',
  home: 'https://api.z.ai/api/paas/v4',
  dialect: {
    form: () => 'object',
    fields: ({ effort }) => ({
      seed: undefined,
      reasoning_effort: undefined,
      ...(effort && { thinking: { type: 'enabled' } }),
    }),
  },
})
