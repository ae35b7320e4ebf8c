/** What traces and metrics are put around. */

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type Histogram,
  ROOT_CONTEXT,
  type Span,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { MiddlewareHandler } from 'hono'
import type { Provider } from '../models/provider.ts'
import type { Queue } from '../run/jobs.ts'
import type { Runtime } from '../run/runtime.ts'

export interface Telemetry {
  /** A span for each request. */
  readonly request: MiddlewareHandler
  /** The same providers, with a span for each call. The same list gives the same list. */
  providers(providers: readonly Provider[]): readonly Provider[]
  /** A span for each run of a session, below the request that opened it. */
  runtime(runtime: Runtime): Runtime
  /** Sessions keep the request that opened them, so that any process that runs them continues its trace. */
  queue(queue: Queue): Queue
  /** Sends what is left. */
  close(): Promise<void>
}

// telemetry: Traces and metrics for an OpenTelemetry collector that the person runs. Nothing of it is loaded, and nothing is sent,
// unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set.

type Environment = Readonly<Record<string, string | undefined>>

const isOn = (text: string | undefined): boolean => /^(true|1|yes)$/i.test(text?.trim() ?? '')

/**
 * Only the process' own environment counts: the `.env` of a folder must not send anything anywhere. Undefined if nobody
 * asked for it.
 */
export const telemetryFrom = async (env: Environment, version: string): Promise<Telemetry | undefined> => {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || isOn(env.OTEL_SDK_DISABLED)) return undefined
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp({ version, content: isOn(env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT) })
}

// instruments: What every span and metric is made with, and the span that is current.

export interface Instruments {
  readonly tracer: Tracer
  /** Seconds of a call. */
  readonly duration: Histogram
  readonly tokens: Histogram
  /** Prompts and replies may be sent, because the person asked for it. */
  readonly content: boolean
}

const storage = new AsyncLocalStorage<Context>()

export const current = (): Context => storage.getStore() ?? ROOT_CONTEXT

export const within = <T>(span: Span, run: () => T): T => storage.run(trace.setSpan(ROOT_CONTEXT, span), run)

/** `traceparent` of the W3C: version, trace, span, flags. */
const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Below the span that the header names. Any other text counts as none. */
export const below = (traceparent: string | undefined): Context => {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** The current span as such a header; undefined if there is none. */
export const currentParent = (): string | undefined => {
  const span = trace.getSpanContext(current())
  return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & TraceFlags.SAMPLED}`
}
