/** A streamed reply as bytes, built once and shared by all requests for the same reply. */
import type { LabAnswer } from './reply.ts'

export interface Frames {
  /** Everything in HTTP's chunked encoding, so that any sequence of tokens is one write. */
  readonly bytes: Buffer
  /** Where each token ends in `bytes`. */
  readonly ends: readonly number[]
  /** Whether the reply ends after its last token, or stays open. */
  readonly closes: boolean
}

/** Four characters per token, and never half a character. */
export const tokensOf = (text: string): string[] => {
  const characters = /[\ud800-\udfff]/.test(text) ? [...text] : undefined
  const tokens: string[] = []
  const length = characters?.length ?? text.length
  for (let at = 0; at < length; at += 4) {
    tokens.push(characters ? characters.slice(at, at + 4).join('') : text.slice(at, at + 4))
  }
  return tokens
}

export const usageOf = (prompt: number, answer: LabAnswer): Record<string, unknown> => {
  const thinking = tokensOf(answer.thinking ?? '').length
  const completion = thinking + tokensOf((answer.text ?? '') + (answer.refusal ?? '')).length
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thinking },
  }
}

const chunked = (text: string): Buffer => {
  const size = Buffer.byteLength(text)
  return Buffer.from(`${size.toString(16)}\r\n${text}\r\n`)
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const deltasOf = (answer: LabAnswer): Record<string, string>[] => [
  ...tokensOf(answer.thinking ?? '').map(token => ({ reasoning_content: token })),
  ...tokensOf(answer.refusal ?? '').map(token => ({ refusal: token })),
  ...tokensOf(answer.text ?? '').map(token => ({ content: token })),
]

const endingOf = (
  answer: LabAnswer,
  head: Record<string, unknown>,
  usage: Record<string, unknown> | undefined,
): Buffer[] => {
  const { ending, finish = 'stop' } = answer
  if (typeof ending === 'object') return [chunked(event({ error: ending.error }))]
  if (ending) return []
  return [
    chunked(event({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }] })),
    ...(usage ? [chunked(event({ ...head, choices: [], usage }))] : []),
    chunked('data: [DONE]\n\n'),
  ]
}

export const framesOf = (
  model: string,
  answer: LabAnswer,
  usage: Record<string, unknown> | undefined,
): Frames => {
  const head = { id: 'chatcmpl-lab', object: 'chat.completion.chunk', created: 0, model }
  const deltas = deltasOf(answer).slice(0, answer.after)
  const pieces = deltas.map((delta, index) =>
    chunked(
      event({
        ...head,
        choices: [
          { index: 0, delta: index === 0 ? { role: 'assistant', ...delta } : delta, finish_reason: null },
        ],
      }),
    ),
  )
  const ending = Buffer.concat(endingOf(answer, head, usage))
  const last = pieces.pop()
  pieces.push(last ? Buffer.concat([last, ending]) : ending)
  let end = 0
  const ends = pieces.map(piece => {
    end += piece.length
    return end
  })
  return { bytes: Buffer.concat(pieces), ends, closes: typeof answer.ending !== 'string' }
}
