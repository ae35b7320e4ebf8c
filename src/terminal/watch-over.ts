/** Which processes are watched: those that hold an embedded archive, serve, or run sessions of others. */
import type { Environment } from '../models/endpoints.ts'
import { type Shell, wholeNumberFrom } from './terminal.ts'

const usualSeconds = 60
const name = 'ROUNDTABLE_WATCHDOG'

/** 0: nobody watches. */
const secondsIn = (env: Environment): number => {
  const set = env[name]?.trim()
  return set ? wholeNumberFrom(name, 0, 86_400)(set) : usualSeconds
}

/**
 * Opens what the process is to hold, and watches over the process from then on. Opening isn't watched: after a crash the
 * database replays its own log, and a process that is stopped then would begin again at each start.
 */
export const watchedFrom = async <T>(open: () => Promise<T>, env: Environment, shell: Shell): Promise<T> => {
  const seconds = secondsIn(env)
  const opened = await open()
  if (seconds > 0) await shell.startWatchdog?.(seconds)
  return opened
}
