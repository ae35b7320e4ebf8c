/** One try of a model call: streams it, keeps its deadlines, and never throws. */
import type { ModelError } from '../core/errors.ts'
import { longestText } from '../core/log/bounds.ts'
import { type FoundPage, foundPages } from '../core/question/source.ts'
import type { ModelCall, Provider, TokenUsage } from '../providers/provider.ts'
import { type Allow, replyCount } from './tokens.ts'

export interface Deadlines {
  /** Milliseconds until the first token, between two tokens, and in total. */
  readonly first: number
  readonly between: number
  readonly total: number
}

export interface Heard {
  readonly text: string
  readonly thinking: string
  readonly refusal: string
  /** Pages that the model's search found. */
  readonly found?: readonly FoundPage[]
  readonly finish: 'stop' | 'length' | 'filter' | undefined
  readonly usage?: TokenUsage
  readonly error?: ModelError
  readonly retryAfterMs?: number
  /** The reply was longer than it was allowed to be. This is its beginning, and the connection was closed. */
  readonly cut?: boolean
}

export interface AttemptListener {
  /** How long the reply may be. */
  readonly allow: Allow
  text(text: string): void
  thinking(text: string): void
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** Milliseconds. A timer that is set for longer fires at once. */
const longestTimer = 2 ** 31 - 1

/**
 * Ends a call that is late. One timer checks the time of the last token: setting a new timer for every token would cost
 * more than the token.
 */
const watchdog = (deadlines: Deadlines, signal: AbortSignal, end: (error: ModelError) => void) => {
  const start = performance.now()
  let last: number | undefined
  let timer: NodeJS.Timeout
  const late = (message: string): void => end({ kind: 'timeout', message })
  const look = (): void => {
    const now = performance.now()
    const due = Math.min(
      start + deadlines.total,
      last === undefined ? start + deadlines.first : last + deadlines.between,
    )
    if (now < due - 1) timer = setTimeout(look, Math.min(due - now, longestTimer))
    else if (now >= start + deadlines.total - 1) late(`not done within ${seconds(deadlines.total)}`)
    else if (last === undefined) late(`no first token within ${seconds(deadlines.first)}`)
    else late(`no token for ${seconds(deadlines.between)}`)
  }
  const cancel = (): void => end({ kind: 'cancelled', message: 'stopped before it answered' })
  timer = setTimeout(look, Math.min(deadlines.first, deadlines.between, deadlines.total, longestTimer))
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  return {
    token(): void {
      last = performance.now()
    },
    stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    },
  }
}

/** No limit of tokens allows as much, and a log doesn't take longer texts. */
const endless: ModelError = {
  kind: 'cut-off',
  message: `the reply is longer than ${longestText} characters`,
}

const tooLong = (allowed: number, words: string): ModelError => ({
  kind: 'cut-off',
  message:
    `by our count, the reply was longer than the ${allowed} tokens that it was allowed, so it was cut off. ` +
    `The provider may bill more than was read. It began: ${JSON.stringify(words.slice(0, 200))}`,
})

/** A stream that reports pages without end must not fill the memory. */
const mostReported = 500

export const attempt = async (
  provider: Provider,
  call: Omit<ModelCall, 'signal'>,
  deadlines: Deadlines,
  signal: AbortSignal,
  listener: AttemptListener,
): Promise<Heard> => {
  const controller = new AbortController()
  let text = ''
  let thinking = ''
  let refusal = ''
  let finish: Heard['finish']
  const found: { address: string; title?: string }[] = []
  let usage: TokenUsage | undefined
  let error: ModelError | undefined
  let retryAfterMs: number | undefined
  let over = false
  let cut = false
  const count = replyCount(listener.allow)
  const take = (words: string): string => {
    watch.token()
    const kept = count.take(words)
    cut = kept.length < words.length
    return kept
  }
  const { promise: ended, resolve: endNow } = Promise.withResolvers<void>()
  const giveUp = (problem: ModelError): void => {
    error ??= problem
    over = true
    controller.abort()
    endNow()
  }
  const watch = watchdog(deadlines, signal, giveUp)

  const listen = async (): Promise<void> => {
    for await (const part of provider.stream({ ...call, signal: controller.signal })) {
      if (over) return
      if (text.length + thinking.length + refusal.length > longestText) return giveUp(endless)
      switch (part.type) {
        case 'text': {
          const kept = take(part.text)
          text += kept
          listener.text(kept)
          break
        }
        case 'thinking': {
          const kept = take(part.text)
          thinking += kept
          listener.thinking(kept)
          break
        }
        case 'refusal':
          refusal += take(part.text)
          break
        case 'source':
          watch.token()
          if (found.length < mostReported) found.push(part)
          break
        case 'usage':
          usage = part.usage
          break
        case 'finish':
          finish = part.reason
          break
        case 'error':
          error = part.error
          retryAfterMs = part.retryAfterMs
          return
        default:
          part satisfies never
      }
      if (cut) return giveUp(tooLong(call.maxOutputTokens, text || thinking || refusal))
    }
  }
  // Without the race, a provider that ignores the signal could hold up the table.
  await Promise.race([listen(), ended]).finally(watch.stop)
  if (!error && finish === undefined) error = { kind: 'network', message: 'the reply ended too early' }
  const pages = found.length > 0 && { found: foundPages(found) }
  return { text, thinking, refusal, finish, ...pages, usage, error, retryAfterMs, cut }
}
