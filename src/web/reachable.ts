/** Whether the server can be reached. Whoever notices says so; while it can't, the page looks for it. */
import { useSyncExternalStore } from 'react'

const pauseBetweenLooks = 2_000

let reachable = true
let looking = false
const listeners = new Set<() => void>()

const change = (now: boolean): void => {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

const look = async (): Promise<void> => {
  const found = await fetch('/healthz').then(
    reply => reply.ok,
    () => false,
  )
  looking = false
  if (found) change(true)
  else serverLost()
}

/** A request or a stream got no reply. */
export const serverLost = (): void => {
  change(false)
  if (!looking) setTimeout(look, pauseBetweenLooks)
  looking = true
}

/** The server has replied, whatever it said. */
export const serverFound = (): void => change(true)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachable = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => reachable,
    () => true,
  )
