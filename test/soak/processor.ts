/** The processor time of a process: with it one can tell a server that computes from one that the machine holds up. */
import { readFileSync } from 'node:fs'

const interval = 100
/** Milliseconds of a tick, in which Linux counts. */
const tick = 10

export interface Processor {
  /** Milliseconds that it computed between two moments; undefined if nobody counts them. */
  used(from: number, to: number): number | undefined
  stop(): void
}

/** User and system time of all threads, in milliseconds. */
const timeOf = (pid: number): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  } catch {
    return undefined
  }
}

export const watchProcessor = (pid: () => number | undefined): Processor => {
  const samples: { readonly at: number; readonly pid: number; readonly time: number }[] = []
  const timer = setInterval(() => {
    const one = pid()
    const time = one === undefined ? undefined : timeOf(one)
    if (one !== undefined && time !== undefined) samples.push({ at: Date.now(), pid: one, time })
  }, interval)
  return {
    used(from, to) {
      const before = samples.findLast(({ at }) => at <= from)
      const after = samples.find(({ at }) => at >= to)
      return before && after && before.pid === after.pid ? after.time - before.time : undefined
    },
    stop: () => clearInterval(timer),
  }
}
