/**
 * Decides how many threads a model gets. The engine's threads wait for each other at every step: with one
 * thread more than there are free cores, a reply takes fifty times as long.
 */
import { availableParallelism, type CpuInfo, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** More threads hardly make an answer faster, but slow down the machine. */
const mostThreads = 8
/** Milliseconds to measure the CPU usage. The load average would include programs that have just ended. */
const measuredMs = 500

type Core = Pick<CpuInfo, 'times'>

const sumOf = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0)
const allOf = (cores: readonly Core[]): number => sumOf(cores.flatMap(({ times }) => Object.values(times)))
const idleOf = (cores: readonly Core[]): number => sumOf(cores.map(({ times }) => times.idle))

/** How many cores were in use between two measurements. */
export const busyBetween = (before: readonly Core[], after: readonly Core[]): number => {
  const all = allOf(after) - allOf(before)
  return all > 0 ? (1 - (idleOf(after) - idleOf(before)) / all) * after.length : 0
}

/** How many cores are free, at least one. */
export const freeCores = (cores: number, busy: number): number =>
  Math.max(1, Math.min(mostThreads, cores - Math.round(busy)))

export const freeCoresNow = async (): Promise<number> => {
  const before = cpus()
  await sleep(measuredMs)
  return freeCores(availableParallelism(), busyBetween(before, cpus()))
}
