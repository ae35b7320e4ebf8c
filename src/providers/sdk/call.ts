/** One call through a maker's package. It is repeated only if an option of the request was rejected. */

import { mostReplyBytes } from '../http/reply-size.ts'
import type { MakerSettings } from '../maker.ts'
import type { ModelCall, ModelPart } from '../provider.ts'
import { sdkError } from './errors.ts'
import type { SdkMaker } from './maker.ts'
import { cutOff, type SdkReply, sdkReply } from './reply.ts'
import { callOptions, type Optional, refusedOption } from './request.ts'
import { sdkWire } from './wire.ts'

const cancelled: ModelPart = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
}

/** A server that ignores the token limit must not fill the memory. No token has more characters than this. */
const mostCharacters = (call: ModelCall): number => 1_048_576 + call.maxOutputTokens * 64

/** The parts of one request. Throws if it fails. */
async function* attempt(
  maker: SdkMaker,
  settings: MakerSettings,
  call: ModelCall,
  without: ReadonlySet<Optional>,
  reply: SdkReply,
): AsyncGenerator<ModelPart> {
  const wire = sdkWire(mostReplyBytes(call))
  const model = await maker.model({ ...settings, fetch: wire.fetch }, call.model, call.search === true)
  const options = callOptions(maker, call, without)
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) yield* reply.read(part)
  } catch (error) {
    if (wire.tooLarge()) {
      yield* reply.rest()
      return yield { type: 'finish', reason: 'length' }
    }
    if (!wire.whole()) throw error
    yield* reply.whole(await model.doGenerate(options))
  }
}

/** Repeats a call without what the model rejects, and adds that to `without`. */
async function* asked(
  maker: SdkMaker,
  settings: MakerSettings,
  secrets: readonly string[],
  call: ModelCall,
  without: Set<Optional>,
): AsyncGenerator<ModelPart> {
  const reply = sdkReply(maker, call, secrets)
  // Parallel calls may add to `without` meanwhile: a rejection is about what this call has sent.
  const tried = new Set(without)
  let last: ModelPart | undefined
  let size = 0
  try {
    for await (const part of attempt(maker, settings, call, tried, reply)) {
      last = part
      yield part
      if ('text' in part) size += part.text.length
      if (size > mostCharacters(call)) return yield { type: 'finish', reason: 'length' }
    }
    // Some packages end an empty reply without a finish part.
    if (last?.type !== 'finish' && last?.type !== 'error') yield { type: 'error', error: cutOff }
    return
  } catch (error) {
    yield* reply.rest()
    if (call.signal.aborted) return yield cancelled
    const failure = sdkError(error, secrets)
    const refused = last ? undefined : refusedOption(call, tried, failure.error)
    if (refused === undefined) return yield { type: 'error', ...failure }
    without.add(refused)
  }
  yield* asked(maker, settings, secrets, call, without)
}

/** Starts a call. If the reader leaves early, the connection is closed, even if the package would read on. */
export async function* sdkCall(
  maker: SdkMaker,
  settings: MakerSettings,
  secrets: readonly string[],
  call: ModelCall,
  without: Set<Optional>,
): AsyncGenerator<ModelPart> {
  if (call.signal.aborted) return yield cancelled
  const left = new AbortController()
  const signal = AbortSignal.any([call.signal, left.signal])
  try {
    yield* asked(maker, settings, secrets, { ...call, signal }, without)
  } finally {
    left.abort()
  }
}
