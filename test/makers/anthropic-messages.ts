/** Anthropic's messages format. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

const someUsage = { input_tokens: 20, output_tokens: 10 }

const named = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  event(value, value.type)

const block = (index: number, type: 'text' | 'thinking', words: string): string[] => [
  named({ type: 'content_block_start', index, content_block: { type, [type]: '' } }),
  ...tokensOf(words).map(token =>
    named({ type: 'content_block_delta', index, delta: { type: `${type}_delta`, [type]: token } }),
  ),
]

const stop = (index: number): string => named({ type: 'content_block_stop', index })

/** The answer as the input of a tool, for models without another way to enforce a schema. */
export const toolReply = (json: string): string[] => [
  start(someUsage),
  named({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} },
  }),
  ...tokensOf(json).map(partial_json =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
  ),
  stop(0),
  named({
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 10 },
  }),
  named({ type: 'message_stop' }),
]

/** Input is counted at the start, output at the end. */
const start = ({ output_tokens: _later, ...usage }: Record<string, unknown>): string =>
  named({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  })

const usageOf = ({ usage = someUsage }: Said): Record<string, unknown> => usage as Record<string, unknown>

export const anthropicMessages: WireFormat = {
  basePath: '/v1',
  modelOf: ({ body }) => String(body.model),
  events(said) {
    const { thinking, text, refusal, finish = refusal === undefined ? 'end_turn' : 'refusal' } = said
    const { output_tokens, output_tokens_details } = usageOf(said)
    const delta = {
      stop_reason: finish,
      stop_sequence: null,
      ...(refusal !== undefined && { stop_details: { type: 'refusal', explanation: refusal } }),
    }
    return {
      words: [
        start(usageOf(said)),
        named({ type: 'ping' }),
        ...(thinking === undefined ? [] : [...block(0, 'thinking', thinking), stop(0)]),
        ...(text === undefined ? [] : block(1, 'text', text)),
      ],
      end: [
        ...(text === undefined ? [] : [stop(1)]),
        named({ type: 'message_delta', delta, usage: { output_tokens, output_tokens_details } }),
        named({ type: 'message_stop' }),
      ],
    }
  },
  whole: said => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [{ type: 'text', text: said.text ?? '' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: usageOf(said),
  }),
}
