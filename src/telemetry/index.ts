/**
 * Traces and metrics for an OpenTelemetry collector that the person runs. Nothing of it is loaded, and nothing is sent,
 * unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
 */
import type { MiddlewareHandler } from 'hono'
import type { Provider } from '../providers/provider.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Queue } from '../worker/engine.ts'

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
