/** What every span and metric is made with, and the span that is current. */
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
