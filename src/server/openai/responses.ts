/** Responses, whole and as events. The id of a response is its session's, so that it needs no place of its own. */
import type { ResponsesBodyInput } from '../../api/index.ts'
import type { Session } from '../../core/log/state.ts'
import { errorBody } from './errors.ts'
import type { Telling, Told } from './telling.ts'

export interface ResponseHead {
  readonly id: string
  readonly model: string
  readonly created_at: number
  readonly background: boolean
  readonly previous_response_id: string | null
  readonly instructions: string | null
  readonly text: object
}

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

const idPrefix = 'resp_'
export const responseId = (session: string): string => `${idPrefix}${session}`
/** Undefined: it isn't the id of a response. */
export const sessionIn = (response: string): string | undefined =>
  /^resp_([A-Za-z0-9][A-Za-z0-9_-]{0,99})$/.exec(response)?.[1]

export const headFor = (
  session: Pick<Session, 'id'>,
  body: ResponsesBodyInput,
  at: number,
): ResponseHead => ({
  id: responseId(session.id),
  model: body.model,
  created_at: Math.floor(at / 1_000),
  background: body.background ?? false,
  previous_response_id: body.previous_response_id ?? null,
  instructions: body.instructions ?? null,
  text: { format: body.text?.format ?? { type: 'text' } },
})

const usageIn = ({ usage }: Told) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

const reasoningItem = (id: string, text: string, status: string) => ({
  type: 'reasoning',
  id: `rs_${id}`,
  status,
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
})

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageItem = (id: string, text: string | undefined, status: string) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  status,
  content: text === undefined ? [] : [textPart(text)],
})

/** A response in any state. */
export const responseObject = (head: ResponseHead, status: Status, more: object = {}) => ({
  object: 'response',
  ...head,
  status,
  error: null,
  incomplete_details: null,
  max_output_tokens: null,
  metadata: {},
  output: [],
  parallel_tool_calls: false,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  usage: null,
  user: null,
  ...more,
})

export const finishedResponse = (head: ResponseHead, reasoning: string, told: Told) =>
  responseObject(head, told.finish === 'length' ? 'incomplete' : 'completed', {
    output: [
      ...(reasoning === '' ? [] : [reasoningItem(head.id, reasoning, 'completed')]),
      messageItem(head.id, told.content, 'completed'),
    ],
    incomplete_details: told.finish === 'length' ? { reason: 'max_output_tokens' } : null,
    usage: usageIn(told),
    ...(told.table && { roundtable: told.table }),
  })

export const failedResponse = (head: ResponseHead, error: unknown) => {
  const { error: told } = errorBody(error).body as { error: { code: string | null; message: string } }
  return responseObject(head, 'failed', {
    error: { code: told.code ?? 'server_error', message: told.message },
  })
}

export const wholeResponse = async (telling: Telling, head: ResponseHead): Promise<Response> => {
  let reasoning = ''
  let piece = await telling.next()
  for (; !piece.done; piece = await telling.next()) reasoning += piece.value
  return Response.json(finishedResponse(head, reasoning, piece.value))
}

/** Numbers events as OpenAI does. */
const numbered = () => {
  let count = 0
  return (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: count++, ...more })}\n\n`
}

/** The frames of a response, and how a failure in the middle is told. */
export const responseFrames = (telling: Telling, head: ResponseHead) => {
  const event = numbered()
  async function* frames(): AsyncGenerator<string> {
    let piece = await telling.next()
    const started = responseObject(head, 'in_progress')
    yield event('response.created', { response: started })
    yield event('response.in_progress', { response: started })
    const thinking = { item_id: `rs_${head.id}`, output_index: 0, summary_index: 0 }
    let reasoning = ''
    for (; !piece.done; piece = await telling.next()) {
      if (reasoning === '') {
        yield event('response.output_item.added', {
          output_index: 0,
          item: reasoningItem(head.id, '', 'in_progress'),
        })
        yield event('response.reasoning_summary_part.added', {
          ...thinking,
          part: { type: 'summary_text', text: '' },
        })
      }
      reasoning += piece.value
      yield event('response.reasoning_summary_text.delta', { ...thinking, delta: piece.value })
    }
    if (reasoning !== '') {
      yield event('response.reasoning_summary_text.done', { ...thinking, text: reasoning })
      yield event('response.reasoning_summary_part.done', {
        ...thinking,
        part: { type: 'summary_text', text: reasoning },
      })
      yield event('response.output_item.done', {
        output_index: 0,
        item: reasoningItem(head.id, reasoning, 'completed'),
      })
    }
    const told = piece.value
    const index = reasoning === '' ? 0 : 1
    const place = { item_id: `msg_${head.id}`, output_index: index, content_index: 0 }
    yield event('response.output_item.added', {
      output_index: index,
      item: messageItem(head.id, undefined, 'in_progress'),
    })
    yield event('response.content_part.added', { ...place, part: textPart('') })
    yield event('response.output_text.delta', { ...place, delta: told.content, logprobs: [] })
    yield event('response.output_text.done', { ...place, text: told.content, logprobs: [] })
    yield event('response.content_part.done', { ...place, part: textPart(told.content) })
    yield event('response.output_item.done', {
      output_index: index,
      item: messageItem(head.id, told.content, 'completed'),
    })
    const response = finishedResponse(head, reasoning, told)
    yield event(`response.${response.status}`, { response })
  }
  return {
    frames: frames(),
    failed: (error: unknown): string => event('response.failed', { response: failedResponse(head, error) }),
  }
}
