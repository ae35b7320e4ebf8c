/** The chat-completions format. Makers differ in where they put reasoning and usage figures. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

export interface ChatFormat {
  readonly basePath: string
  /** The field with the reasoning. */
  readonly thinking?: 'reasoning_content' | 'reasoning'
  /** Where the usage figures are: in their own chunk, in the chunk with the finish reason, or in Groq's place there. */
  readonly figures?: 'apart' | 'finish' | 'x_groq'
  /** Chunks before everything else. */
  readonly preamble?: string
}

export const someUsage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'model-1' }

const chunk = (fields: object): string => event({ ...head, object: 'chat.completion.chunk', ...fields })

const delta = (fields: object): string =>
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', ...fields }, finish_reason: null }] })

const endOf = (said: Said, figures: ChatFormat['figures']): string[] => {
  const { finish = 'stop', usage = someUsage } = said
  const choices = [{ index: 0, delta: {}, finish_reason: finish }]
  const done = 'data: [DONE]\n\n'
  if (figures === 'finish') return [chunk({ choices, usage }), done]
  if (figures === 'x_groq') return [chunk({ choices, x_groq: { id: 'req_1', usage } }), done]
  return [chunk({ choices }), chunk({ choices: [], usage }), done]
}

export const chatCompletions = (format: ChatFormat): WireFormat => {
  const { basePath, thinking: field = 'reasoning_content', figures = 'apart', preamble } = format
  return {
    basePath,
    modelOf: ({ body }) => String(body.model),
    events(said) {
      const { thinking = '', text = '', refusal = '' } = said
      return {
        words: [
          ...(preamble === undefined ? [] : [preamble]),
          ...tokensOf(thinking).map(token => delta({ content: '', [field]: token })),
          ...tokensOf(refusal).map(token => delta({ refusal: token })),
          ...tokensOf(text).map(token => delta({ content: token })),
        ],
        end: endOf(said, figures),
      }
    },
    whole: ({ thinking, text = '', refusal = null, finish = 'stop', usage = someUsage }) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text, refusal, ...(thinking && { [field]: thinking }) },
          finish_reason: finish,
        },
      ],
      usage,
    }),
  }
}

/** The two messages of the contract's call; with `schema`, the prompt contains it. */
export const messages = (schema?: unknown): readonly { role: string; content: string }[] => {
  const question = 'The question:\n\nDoes size matter?'
  const words =
    'Reply with one JSON object that keeps to this JSON schema, and write nothing before or after it:'
  const order = 'Fill in the fields in this order: headline.'
  const told = `${question}\n\n${words}\n${JSON.stringify(schema)}\n${order}`
  const content = schema === undefined ? question : told
  return [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ]
}

/** The fields of every request. */
export const streamed = { stream: true, stream_options: { include_usage: true } } as const

export const jsonSchema = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema, strict: true },
})

export const problem = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
})
