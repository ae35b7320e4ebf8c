/** Resident memory of a process over time. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const interval = 2_000

export interface Memory {
  /** Megabytes. */
  readonly samples: readonly { readonly at: number; readonly megabytes: number }[]
  stop(): void
}

const residentOf = async (pid: number): Promise<number> => {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1_024
}

export const watchMemory = (pid: () => number | undefined): Memory => {
  const samples: { at: number; megabytes: number }[] = []
  const timer = setInterval(() => {
    const one = pid()
    if (one === undefined) return
    residentOf(one)
      .then(megabytes => void samples.push({ at: Date.now(), megabytes }))
      // It has just ended.
      .catch(() => {})
  }, interval)
  return { samples, stop: () => clearInterval(timer) }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** The median of a quarter of the samples, from 0 to 3. */
export const quarter = ({ samples }: Pick<Memory, 'samples'>, which: number): number => {
  const length = samples.length / 4
  const part = samples.slice(Math.floor(which * length), Math.floor((which + 1) * length))
  return median(part.map(({ megabytes }) => megabytes))
}

/** Room for a heap that breathes; a leak of an hour is far above it. */
export const isFlat = (second: number, last: number): boolean => last <= second * 1.2 + 32
