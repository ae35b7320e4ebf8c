/** Paces all streams with one timer, so that hundreds of replies at a hundred tokens per second stay cheap. */

export interface Paced {
  /** When the first token is due, in milliseconds of performance.now(). */
  readonly from: number
  readonly tokensPerSecond: number
  readonly count: number
  /** Sends the tokens up to this number. */
  send(upTo: number): void
}

const tickMs = 2

export interface Pacer {
  add(paced: Paced): void
  remove(paced: Paced): void
  stop(): void
}

export const pacer = (): Pacer => {
  const running = new Set<Paced>()
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
    running.clear()
  }
  const step = (paced: Paced, at: number): void => {
    const { count, from, tokensPerSecond } = paced
    if (at < from) return
    const upTo =
      tokensPerSecond === Infinity
        ? count
        : Math.min(count, Math.floor(((at - from) * tokensPerSecond) / 1_000) + 1)
    if (upTo === count) running.delete(paced)
    paced.send(upTo)
  }
  const tick = (): void => {
    const at = performance.now()
    for (const paced of running) step(paced, at)
    if (running.size === 0) stop()
  }
  return {
    stop,
    add(paced) {
      running.add(paced)
      step(paced, performance.now())
      if (running.size > 0) timer ??= setInterval(tick, tickMs)
    },
    remove: paced => void running.delete(paced),
  }
}
