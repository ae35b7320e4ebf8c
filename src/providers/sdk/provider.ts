/**
 * A provider over one of the AI SDK's packages: the package speaks the maker's wire format, and its
 * stream is turned into our parts. It calls the model's own `doStream`; the runtime does retries, deadlines
 * and JSON. The first call loads the package, because every command connects all makers.
 */

import { secretsFrom } from '../http/redact.ts'
import type { MakerSettings } from '../maker.ts'
import type { ModelCall, ModelPart, Provider } from '../provider.ts'
import type { SdkMaker } from './maker.ts'
import type { Optional } from './request.ts'

export type { SdkMaker } from './maker.ts'

const listTimeoutMs = 10_000

export const sdkProvider = (maker: SdkMaker, settings: MakerSettings): Provider => {
  const secrets = secretsFrom([settings.key])
  /** The options that each model has rejected: sending them again would cost a call each time. */
  const refused = new Map<string, Set<Optional>>()
  const refusedBy = (model: string): Set<Optional> => {
    const known = refused.get(model) ?? new Set(maker.structured?.(model) === false ? ['schema'] : [])
    refused.set(model, known)
    return known
  }
  return {
    id: maker.id,
    label: maker.label,
    ...(settings.limits && { limits: settings.limits }),
    ...(maker.pictureMedia && { pictureMedia: maker.pictureMedia }),
    async *stream(call: ModelCall): AsyncGenerator<ModelPart> {
      const { sdkCall } = await import('./call.ts')
      yield* sdkCall(maker, settings, secrets, call, refusedBy(call.model))
    },
    known: settings.known,
    facts: async model => settings.known(model),
    async list(signal) {
      const { listedModels, modelList } = await import('../chat/model-list.ts')
      const { url, headers } = maker.listing(settings)
      const request = { url: new URL(url), method: 'GET' as const, headers }
      const timeout = AbortSignal.timeout(listTimeoutMs)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const list = await modelList(request, either, secrets)
      return 'error' in list ? list : listedModels(list)
    },
  }
}
