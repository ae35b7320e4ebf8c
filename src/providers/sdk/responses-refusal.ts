/** Refusals in the responses format, which OpenAI and xAI speak. */
import type { SdkMaker } from './maker.ts'

export const responsesRefusal: SdkMaker['refusal'] = ({ type, delta, part }) => {
  if (type === 'response.refusal.delta') return String(delta)
  const around = (part as { type?: unknown } | undefined)?.type === 'refusal'
  return around || type === 'response.refusal.done' ? '' : undefined
}
