/** A span and two metrics for each call of a model, in the words of OpenTelemetry's GenAI conventions. */
import { type Attributes, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ModelCall, ModelPart, Provider } from '../providers/provider.ts'
import { current, type Instruments } from './instruments.ts'

const requestOf = (
  { id }: Provider,
  { model, maxOutputTokens, temperature, seed }: ModelCall,
): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': id,
  'gen_ai.request.model': model,
  'gen_ai.request.max_tokens': maxOutputTokens,
  ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
  ...(seed !== undefined && { 'gen_ai.request.seed': seed }),
})

const promptOf = ({ system, user }: ModelCall): Attributes => ({
  'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: system }]),
  'gen_ai.input.messages': JSON.stringify([
    { role: 'user', parts: user.map(content => ({ type: 'text', content })) },
  ]),
})

/** What was heard of a reply so far. */
interface HeardReply {
  text: string
  usage?: Extract<ModelPart, { type: 'usage' }>['usage']
  finish?: string
  error?: Extract<ModelPart, { type: 'error' }>['error']
}

const hear = (heard: HeardReply, part: ModelPart, content: boolean): void => {
  if (part.type === 'text' && content) heard.text += part.text
  if (part.type === 'usage') heard.usage = part.usage
  if (part.type === 'finish') heard.finish = part.reason
  if (part.type === 'error') heard.error = part.error
}

const replyOf = ({ usage, finish, text }: HeardReply, content: boolean): Attributes => ({
  ...(usage && {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
  }),
  ...(finish !== undefined && { 'gen_ai.response.finish_reasons': [finish] }),
  ...(content && {
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: text }], finish_reason: finish ?? 'error' },
    ]),
  }),
})

export const tracedProvider = (provider: Provider, instruments: Instruments): Provider => {
  const { tracer, duration, tokens, content } = instruments

  const finish = (span: Span, about: Attributes, heard: HeardReply, started: number): void => {
    const { usage } = heard
    // A reply that was left before its end was cancelled by its reader.
    const kind = heard.error?.kind ?? (heard.finish === undefined ? 'cancelled' : undefined)
    span.setAttributes(replyOf(heard, content))
    if (kind !== undefined) {
      span.setAttribute('error.type', kind)
      // The provider's own words may repeat a prompt, so they are sent only with the prompts.
      span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(content && { message: heard.error?.message ?? kind }),
      })
    }
    span.end()
    const failed = kind === undefined ? about : { ...about, 'error.type': kind }
    duration.record((performance.now() - started) / 1_000, failed)
    if (!usage) return
    tokens.record(usage.inputTokens, { ...about, 'gen_ai.token.type': 'input' })
    tokens.record(usage.outputTokens, { ...about, 'gen_ai.token.type': 'output' })
  }

  async function* stream(call: ModelCall): AsyncGenerator<ModelPart> {
    const about = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider.id,
      'gen_ai.request.model': call.model,
    }
    const attributes = {
      ...requestOf(provider, call),
      'roundtable.form': call.shape.name,
      ...(content && promptOf(call)),
    }
    const span = tracer.startSpan(`chat ${call.model}`, { kind: SpanKind.CLIENT, attributes }, current())
    const started = performance.now()
    const heard: HeardReply = { text: '' }
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      call.signal.removeEventListener('abort', end)
      finish(span, about, heard, started)
    }
    // A provider that ignores the signal would leave the span open.
    call.signal.addEventListener('abort', end, { once: true })
    try {
      for await (const part of provider.stream(call)) {
        hear(heard, part, content)
        yield part
      }
    } finally {
      end()
    }
  }

  return Object.create(provider, { stream: { value: stream } }) as Provider
}
