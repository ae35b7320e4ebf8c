/** Chat completions, whole and as chunks. */
import { errorBody } from './errors.ts'
import type { Telling, TokenCounts, Told } from './telling.ts'

export interface ChatReplyHead {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
}

const usageIn = ({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: TokenCounts) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
})

const endIn = ({ usage, table }: Told) => ({ usage: usageIn(usage), ...(table && { roundtable: table }) })

export const wholeChat = async (telling: Telling, head: ChatReplyHead): Promise<Response> => {
  const reasoning: string[] = []
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next()) reasoning.push(piece.value)
  const told = piece.value
  const message = {
    role: 'assistant',
    content: told.content,
    refusal: null,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
  }
  return Response.json({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: told.finish }],
    ...endIn(told),
  })
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

export const chatFrames = async function* (telling: Telling, head: ChatReplyHead): AsyncGenerator<string> {
  const chunk = (delta: object, finish: Told['finish'] | null = null, more: object = {}): string =>
    frame({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...more,
    })
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next())
    yield chunk({ role: 'assistant', reasoning_content: piece.value })
  const told = piece.value
  yield chunk({ role: 'assistant', content: told.content })
  yield chunk({}, told.finish, endIn(told))
  yield 'data: [DONE]\n\n'
}

export const chatFailure = (error: unknown): string => frame(errorBody(error).body)
