/** Alibaba Cloud Model Studio, the maker of Qwen. Effort is a budget of tokens. */
import type { ReplyForm } from '../chat/dialect.ts'
import { chatMaker } from '../chat/maker.ts'
import type { ModelCall } from '../provider.ts'

const budgets = { low: 1_024, medium: 4_096, high: 16_384 } as const

/** Models with open weights think by default; the others think only if asked to. */
const thinks = ({ model, effort }: ModelCall): boolean =>
  effort !== undefined || /thinking|^qwq|^qwen3.*-\d+b(?!.*instruct)|^(?:deepseek|glm|kimi)-/.test(model)

const takesSchema = /^qwen3\.(?:7-(?:plus|flash|max)|8-(?:max|flash))(?:-|$)/

/** If they think, some models reject a request for JSON, and others answer with JSON that ignores their thinking. */
const formOf = (call: ModelCall): ReplyForm => {
  if (thinks(call)) return 'words'
  return takesSchema.test(call.model) ? 'schema' : 'object'
}

export const alibaba = chatMaker({
  id: 'alibaba',
  label: 'Alibaba Cloud',
  keys: ['ALIBABA_API_KEY', 'DASHSCOPE_API_KEY'],
  keyPage: 'https://modelstudio.console.alibabacloud.com/?tab=dashboard#/api-key',
  baseURLVariable: 'ALIBABA_BASE_URL',
  home: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  dialect: {
    form: formOf,
    fields: ({ effort }) => ({
      reasoning_effort: undefined,
      ...(effort && { enable_thinking: true, thinking_budget: budgets[effort] }),
    }),
  },
})
