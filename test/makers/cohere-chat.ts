/** Version 2 of Cohere's chat format. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

const someUsage = {
  billed_units: { input_tokens: 15, output_tokens: 10 },
  tokens: { input_tokens: 20, output_tokens: 10 },
}

const named = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  event(value, value.type)

const content = (type: string, index: number, inside: Record<string, string>): string =>
  named({ type, index, delta: { message: { content: inside } } })

const block = (index: number, type: 'text' | 'thinking', words: string): string[] => [
  content('content-start', index, { type, [type]: '' }),
  ...tokensOf(words).map(token => content('content-delta', index, { [type]: token })),
]

const stop = (index: number): string => named({ type: 'content-end', index })

const closing = ({ finish = 'COMPLETE', usage = someUsage }: Said) => ({ finish_reason: finish, usage })

export const cohereChat: WireFormat = {
  basePath: '/v2',
  modelOf: ({ body }) => String(body.model),
  events: said => ({
    words: [
      named({ type: 'message-start', id: 'm1', delta: { message: { role: 'assistant', content: [] } } }),
      ...(said.thinking === undefined ? [] : [...block(0, 'thinking', said.thinking), stop(0)]),
      ...(said.text === undefined ? [] : block(1, 'text', said.text)),
    ],
    end: [stop(1), named({ type: 'message-end', id: 'm1', delta: closing(said) })],
  }),
  whole: said => ({
    id: 'm1',
    message: { role: 'assistant', content: [{ type: 'text', text: said.text ?? '' }] },
    ...closing(said),
  }),
}
