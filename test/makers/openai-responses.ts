/** OpenAI's responses format, which xAI speaks too. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

const someUsage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 30,
}

/** A reply is complete, or has a reason why it isn't. */
const closing = ({ finish, usage = someUsage }: Said) => ({
  status: finish === undefined ? 'completed' : 'incomplete',
  ...(finish !== undefined && { incomplete_details: { reason: finish } }),
  usage,
})

const head = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'model-1', output: [] }

const thinkingEvents = (thinking: string): string[] => {
  const item = { id: 'rs_1', type: 'reasoning', summary: [], status: 'in_progress' }
  const indexes = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
  return [
    event({ type: 'response.output_item.added', output_index: 0, item }),
    event({
      type: 'response.reasoning_summary_part.added',
      ...indexes,
      part: { type: 'summary_text', text: '' },
    }),
    ...tokensOf(thinking).map(delta =>
      event({ type: 'response.reasoning_summary_text.delta', ...indexes, delta }),
    ),
    event({
      type: 'response.reasoning_summary_part.done',
      ...indexes,
      part: { type: 'summary_text', text: thinking },
    }),
    event({ type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } }),
  ]
}

const messageEvents = (type: 'output_text' | 'refusal', text: string): string[] => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const indexes = { item_id: 'msg_1', output_index: 1, content_index: 0 }
  return [
    event({ type: 'response.output_item.added', output_index: 1, item }),
    ...tokensOf(text).map(delta =>
      event({ type: `response.${type}.delta`, ...indexes, delta, logprobs: [] }),
    ),
    ...(type === 'refusal' ? [event({ type: 'response.refusal.done', ...indexes, refusal: text })] : []),
  ]
}

const doneEvent = event({
  type: 'response.output_item.done',
  output_index: 1,
  item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [] },
})

export const openaiResponses: WireFormat = {
  basePath: '/v1',
  modelOf: ({ body }) => String(body.model),
  events(said) {
    const { thinking, text, refusal } = said
    const type = said.finish === undefined ? 'response.completed' : 'response.incomplete'
    return {
      words: [
        event({ type: 'response.created', response: head }),
        ...(thinking === undefined ? [] : thinkingEvents(thinking)),
        ...(refusal === undefined ? [] : messageEvents('refusal', refusal)),
        ...(text === undefined ? [] : messageEvents('output_text', text)),
      ],
      end: [doneEvent, event({ type, response: { ...head, ...closing(said) } })],
    }
  },
  whole: said => ({
    ...head,
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: said.text ?? '', annotations: [] }],
      },
    ],
    ...closing(said),
  }),
}
