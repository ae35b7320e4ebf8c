/** Ollama's own format: a line of JSON for each token, and a last one with `done`. */
import { tokensOf } from '../lab/frames.ts'
import type { Said, WireFormat } from './record.ts'

const line = (fields: object): string =>
  `${JSON.stringify({ model: 'model-1', created_at: '2026-11-15T00:00:00Z', ...fields })}\n`

const said = (field: 'content' | 'thinking', text = ''): string[] =>
  tokensOf(text).map(token =>
    line({ message: { role: 'assistant', content: '', [field]: token }, done: false }),
  )

const someUsage = { prompt_eval_count: 20, eval_count: 10 }

const closing = ({ finish = 'stop', usage = someUsage }: Said) => ({
  done: true,
  done_reason: finish,
  total_duration: 5_000_000,
  ...(usage as object),
})

export const ollamaChat: WireFormat = {
  basePath: '',
  modelOf: ({ body }) => String(body.model),
  events: reply => ({
    words: [...said('thinking', reply.thinking), ...said('content', reply.text)],
    end: [line({ message: { role: 'assistant', content: '' }, ...closing(reply) })],
  }),
  whole: reply => ({
    model: 'model-1',
    message: { role: 'assistant', content: reply.text ?? '', thinking: reply.thinking },
    ...closing(reply),
  }),
}
