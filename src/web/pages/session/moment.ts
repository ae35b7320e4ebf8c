/** A moment of the log: its end, or any earlier position, chosen by hand or in a replay. */
import { useEffect, useMemo, useState } from 'react'
import type { SessionEvent } from '../../../core/log/event.ts'
import { fold, type Session } from '../../../core/log/state.ts'

export const speeds = [1, 2, 4, 8] as const
export type Speed = (typeof speeds)[number]

/** A replay skips long waits, and shows every event long enough to be seen. */
const longestPause = 2_500
const shortestPause = 250

/** Milliseconds from one event to the next in a replay. */
export const pauseBefore = (events: readonly SessionEvent[], next: number, speed: number): number => {
  const [before, after] = [events[next - 1], events[next]]
  const passed = before && after ? Date.parse(after.at) - Date.parse(before.at) : 0
  return Math.min(longestPause, Math.max(shortestPause, passed)) / speed
}

export interface Moment {
  /** How many events have happened. */
  readonly count: number
  readonly session: Session | undefined
  /** Everything that has happened so far is shown. */
  readonly atEnd: boolean
  readonly playing: boolean
  readonly speed: Speed
  seek(count: number): void
  /** From the beginning if the end is shown. */
  play(): void
  pause(): void
  setSpeed(speed: Speed): void
}

export const useMoment = (events: readonly SessionEvent[], latest: Session | undefined): Moment => {
  const [chosen, setChosen] = useState<number | undefined>()
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(2)
  const count = Math.min(chosen ?? events.length, events.length)
  const atEnd = chosen === undefined
  const session = useMemo(
    () => (atEnd ? latest : fold(events.slice(0, count))),
    [atEnd, latest, events, count],
  )
  const seek = (to: number): void => setChosen(to >= events.length ? undefined : Math.max(1, to))
  useEffect(() => {
    if (!playing) return
    if (count >= events.length) {
      setChosen(undefined)
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => setChosen(count + 1), pauseBefore(events, count, speed))
    return () => clearTimeout(timer)
  }, [playing, count, events, speed])
  return {
    count,
    session,
    atEnd,
    playing,
    speed,
    setSpeed,
    seek(to) {
      setPlaying(false)
      seek(to)
    },
    play() {
      if (atEnd) setChosen(1)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
  }
}
