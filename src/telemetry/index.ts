/**
 * Traces and metrics for an OpenTelemetry collector that the person runs. Nothing of it is loaded, and nothing is sent,
 * unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
 */
import type { Telemetry } from './telemetry.ts'

export type { Telemetry } from './telemetry.ts'

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
