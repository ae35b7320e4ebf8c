/**
 * An archive that lets others have a turn. The embedded database never waits for anything outside the process, so a long
 * row of calls would keep timers, signals and requests waiting until its end.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Archive } from './archive.ts'
import { archiveFrom, callOn } from './methods.ts'

/** Milliseconds that calls may follow each other without a turn for others. */
const longest = 50

export const takingTurns = (archive: Archive): Archive => {
  let since = Date.now()
  return archiveFrom(async (method, given) => {
    // A clock that is set back gives a turn too early, and never too late.
    if (Math.abs(Date.now() - since) >= longest) {
      await turn()
      since = Date.now()
    }
    return callOn(archive, method, given)
  }, archive.close)
}
