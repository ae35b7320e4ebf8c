/** Sends spans and metrics over OTLP/HTTP. The exporters read their usual variables: address, headers, timeouts. */

import { type Attributes, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { SessionEvent } from '../core/event.ts'
import type { ModelCall, ModelPart, Provider } from '../models/provider.ts'
import type { Runtime } from '../run/runtime.ts'
import { below, current, currentParent, type Instruments, type Telemetry, within } from './telemetry.ts'

// calls: A span and two metrics for each call of a model, in the words of OpenTelemetry's GenAI conventions.

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

export interface OtlpOptions {
  readonly version: string
  readonly content: boolean
}

/** Long enough for a collector that answers, short enough for a process that ends. */
const longestCloseMs = 3_000

/** Routes have no ids and no tokens of links; addresses do. */
const requestsIn =
  ({ tracer }: Instruments): MiddlewareHandler =>
  async (context, next) => {
    const { method } = context.req
    const parent = below(context.req.header('traceparent'))
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
    try {
      await within(span, next)
    } finally {
      const route = routePath(context)
      const { status } = context.res
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }

const aboutSession = (first: SessionEvent | undefined): Attributes =>
  first?.type === 'session-opened'
    ? {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': first.protocol,
        'gen_ai.conversation.id': first.id,
        'roundtable.seats': first.seats.length,
      }
    : {}

const runsIn =
  ({ tracer }: Instruments, runtime: Runtime): Runtime['carryOn'] =>
  async (log, watch) => {
    const [first] = log
    const parent = first?.type === 'session-opened' ? below(first.traceparent) : current()
    const span = tracer.startSpan('invoke_workflow roundtable', { attributes: aboutSession(first) }, parent)
    try {
      const whole = await within(span, () => runtime.carryOn(log, watch))
      const last = whole.findLast(event => event.type === 'session-finished')
      if (last) span.setAttribute('roundtable.outcome', last.outcome)
      return whole
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

/** The bounds that the conventions ask for. */
const powers = (first: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first * factor ** index)

export const openOtlp = ({ version, content }: OtlpOptions): Telemetry => {
  const own = resourceFromAttributes({ 'service.name': 'roundtable', 'service.version': version })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const spans = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const metrics = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
  })
  const meter = metrics.getMeter('roundtable', version)
  const instruments: Instruments = {
    tracer: spans.getTracer('roundtable', version),
    duration: meter.createHistogram('gen_ai.client.operation.duration', {
      unit: 's',
      advice: { explicitBucketBoundaries: powers(0.01, 2, 14) },
    }),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      advice: { explicitBucketBoundaries: powers(1, 4, 14) },
    }),
    content,
  }
  const traced = new WeakMap<readonly Provider[], readonly Provider[]>()
  return {
    request: requestsIn(instruments),
    providers(providers) {
      const known = traced.get(providers) ?? providers.map(one => tracedProvider(one, instruments))
      traced.set(providers, known)
      return known
    },
    runtime: runtime => ({ ...runtime, carryOn: runsIn(instruments, runtime) }),
    queue: queue => ({
      ...queue,
      open(first, ...more) {
        const traceparent = currentParent()
        return queue.open(traceparent === undefined ? first : { ...first, traceparent }, ...more)
      },
    }),
    async close() {
      const late = new Promise<void>(resolve => setTimeout(resolve, longestCloseMs).unref())
      await Promise.race([Promise.allSettled([spans.shutdown(), metrics.shutdown()]), late])
    },
  }
}
