/**
 * A provider over one of the AI SDK's packages: the package speaks the maker's wire format, and its
 * stream is turned into our parts. It calls the model's own `doStream`; the runtime does retries, deadlines
 * and JSON. The first call loads the package, because every command connects all makers.
 */

import { secretsFrom } from '../http/redact.ts'
import type { MakerSettings } from '../maker.ts'
import type { ModelCall, ModelFacts, ModelPart, Provider } from '../provider.ts'
import { type SearchTerms, withSearchFee } from '../search/fees.ts'
import type { SdkMaker } from './maker.ts'
import type { Optional } from './request.ts'

export type { SdkMaker } from './maker.ts'

const listTimeoutMs = 10_000

export const sdkProvider = (maker: SdkMaker, settings: MakerSettings): Provider => {
  const secrets = secretsFrom([settings.key])
  /** The options that each model has rejected: sending them again would cost a call each time. */
  const refused = new Map<string, Set<Optional>>()
  const refusedAtFirst = (model: string, search: boolean): Optional[] => {
    if (search) return maker.search?.structured?.test(model) ? [] : ['schema', 'json']
    return maker.structured?.(model) === false ? ['schema'] : []
  }
  /** A model that searches may reject what it takes otherwise. */
  const refusedBy = (model: string, search = false): Set<Optional> => {
    const key = search ? `${model} searching` : model
    const known = refused.get(key) ?? new Set(refusedAtFirst(model, search))
    refused.set(key, known)
    return known
  }
  const termsFor = (model: string): SearchTerms | undefined =>
    maker.search && (maker.search.models?.test(model) ?? true) ? maker.search.terms(model) : undefined
  const known = (model: string): ModelFacts => withSearchFee(settings.known(model), termsFor(model))
  return {
    id: maker.id,
    label: maker.label,
    ...(settings.limits && { limits: settings.limits }),
    ...(maker.pictureMedia && { pictureMedia: maker.pictureMedia }),
    async *stream(call: ModelCall): AsyncGenerator<ModelPart> {
      const { sdkCall } = await import('./call.ts')
      yield* sdkCall(maker, settings, secrets, call, refusedBy(call.model, call.search))
    },
    searches: model => termsFor(model)?.most ?? 0,
    known,
    facts: async model => known(model),
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
