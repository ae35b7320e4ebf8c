/** The time, once a second and the same for all clocks of a page, for as long as something waits. */
import { useSyncExternalStore } from 'react'
import { wholeNumber } from '../../../../core/wording/numbers.ts'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const never = (): (() => void) => () => {}

/** A clock of its own for each seat would run a second ahead of the session's. */
const read = (): number => {
  if (timer === undefined) now = Date.now()
  return now
}

export const useNow = (running: boolean): number => useSyncExternalStore(running ? subscribe : never, read)

/** 0:07, 12:30, 1:02:30; from two days on, "3 days" */
export const clockText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const days = Math.floor(seconds / 86_400)
  if (days > 1) return `${wholeNumber(days)} days`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const start = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes)
  return `${start}:${String(seconds % 60).padStart(2, '0')}`
}
