/** What every part of a soak shares. */

import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from '../../src/core/basics.ts'
import type { Reply } from './client.ts'
import type { Evidence } from './evidence.ts'
import type { Random } from './pick.ts'

export interface Stage extends Pick<Evidence, 'note'> {
  readonly address: string
  readonly random: (part: string) => Random
  /** Aborted when the time is up. */
  readonly signal: AbortSignal
  /** Aborted some time later: then nobody waits for sessions any more. */
  readonly gone: AbortSignal
  /** Whether a request that began at that moment and ends now may have failed because something was killed. */
  isExcused(since: number): boolean
  /** Looks at the reply to a request that began at `since`: whether the server failed. */
  isFailure(what: string, since: number, reply: Reply | undefined, body?: string): boolean
}

export const seeded =
  (seed: string) =>
  (part: string): Random =>
    randomFor(`${seed} ${part}`)

/** Waits, but not beyond the end. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).then(
    () => {},
    () => {},
  )

/** Does something so many times a second until the time is up, in several lanes; it catches up if it fell behind. */
export const steadily = async (
  { signal, note }: Pick<Stage, 'signal' | 'note'>,
  perSecond: number,
  lanes: number,
  work: () => Promise<void>,
): Promise<void> => {
  const since = performance.now()
  let begun = 0
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const due = since + (begun++ * 1_000) / perSecond
      const early = due - performance.now()
      if (early > 0) await pause(early, signal)
      if (!signal.aborted) await work().catch(error => note(String(error)))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
