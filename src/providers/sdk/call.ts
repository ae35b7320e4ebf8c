/** One call through a maker's package: asked again only where something in the request was turned down. */
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

/** A server that ignores the limit of tokens must not fill the memory: no token has more characters. */
const mostCharacters = (call: ModelCall): number => 1_048_576 + call.maxOutputTokens * 64

/** The parts of one try; throws what goes wrong. */
async function* attempt(
  maker: SdkMaker,
  settings: MakerSettings,
  call: ModelCall,
  without: ReadonlySet<Optional>,
  reply: SdkReply,
): AsyncGenerator<ModelPart> {
  const wire = sdkWire()
  const model = await maker.model({ ...settings, fetch: wire.fetch }, call.model)
  const options = callOptions(maker, call, without)
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) yield* reply.read(part)
  } catch (error) {
    if (!wire.whole()) throw error
    yield* reply.whole(await model.doGenerate(options))
  }
}

/** A call until it ends, with everything that the model turns down left out and put into `without`. */
async function* asked(
  maker: SdkMaker,
  settings: MakerSettings,
  secrets: readonly string[],
  call: ModelCall,
  without: Set<Optional>,
): AsyncGenerator<ModelPart> {
  const reply = sdkReply(maker, secrets)
  // Calls at the same time learn the same thing once each: what counts is what this one asked for.
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
    // Some packages end a reply that never began without a word.
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

/** Starts a call. A reader who leaves early closes the connection, also where the package would read on. */
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
