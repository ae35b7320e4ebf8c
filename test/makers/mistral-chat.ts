/** Mistral's variant of chat completions: reasoning is a list of parts, and the answer may be one too. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

const someUsage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }

const head = { id: 'c1', created: 1_700_000_000, model: 'model-1' }

const thought = (text: string) => [{ type: 'thinking', thinking: [{ type: 'text', text }] }]

const chunk = (content: unknown): string =>
  event({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  })

const last = ({ finish = 'stop', usage = someUsage }: Said): string =>
  event({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: '' }, finish_reason: finish }],
    usage,
  })

export const mistralChat: WireFormat = {
  basePath: '/v1',
  modelOf: ({ body }) => String(body.model),
  events: said => ({
    words: [
      chunk(''),
      ...tokensOf(said.thinking ?? '').map(token => chunk(thought(token))),
      ...tokensOf(said.text ?? '').map(token =>
        chunk(said.thinking === undefined ? token : [{ type: 'text', text: token }]),
      ),
    ],
    end: [last(said), 'data: [DONE]\n\n'],
  }),
  whole: ({ text = '', usage = someUsage }) => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage,
  }),
}
