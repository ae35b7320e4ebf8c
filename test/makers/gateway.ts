/** The gateway's format: parts of the AI SDK's own streams, as events; a header names the model. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'
import { event } from './wire.ts'

export const someUsage = {
  inputTokens: { total: 20, noCache: 20, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
}

const deltas = (kind: 'text' | 'reasoning', text = ''): string[] =>
  text === ''
    ? []
    : [
        event({ type: `${kind}-start`, id: kind }),
        ...tokensOf(text).map(delta => event({ type: `${kind}-delta`, id: kind, delta })),
        event({ type: `${kind}-end`, id: kind }),
      ]

const closing = ({ finish = 'stop', usage = someUsage }: Said) => ({
  finishReason: { unified: finish, raw: finish },
  usage,
})

export const gateway: WireFormat = {
  basePath: '/v4/ai',
  modelOf: ({ headers }) => String(headers['ai-language-model-id']),
  events: said => ({
    words: [
      event({ type: 'stream-start', warnings: [] }),
      event({ type: 'response-metadata', id: 'msg_1', timestamp: '2026-11-15T00:00:00.000Z' }),
      ...deltas('reasoning', said.thinking),
      ...deltas('text', said.text),
    ],
    end: [event({ type: 'finish', ...closing(said) }), 'data: [DONE]\n\n'],
  }),
  whole: said => ({
    content: [
      ...(said.thinking === undefined ? [] : [{ type: 'reasoning', text: said.thinking }]),
      { type: 'text', text: said.text ?? '' },
    ],
    warnings: [],
    ...closing(said),
  }),
}
