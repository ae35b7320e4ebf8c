/** Sends spans and metrics over OTLP/HTTP. The exporters read their usual variables: address, headers, timeouts. */
import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api'
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
import type { SessionEvent } from '../core/log/event.ts'
import type { Provider } from '../providers/provider.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { tracedProvider } from './calls.ts'
import { below, current, currentParent, type Instruments, within } from './instruments.ts'
import type { Telemetry } from './telemetry.ts'

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
