/** Which sessions are being run, as far as the process that holds the archive knows. */
import { UsageError } from '../../core/errors.ts'

export interface RunOwners {
  /** Makes the caller the owner of a session's run until it calls the returned function. Refused if it has one. */
  own(id: string): () => void
  running(): readonly string[]
}

/** `runHere` lists the sessions that the holder itself runs without owning them here. */
export const runOwners = (runHere: () => readonly string[] = () => []): RunOwners => {
  const owned = new Set<string>()
  return {
    own(id) {
      if (owned.has(id) || runHere().includes(id)) {
        throw new UsageError(`Session ${id} is already running.`, 'already-running', { session: id })
      }
      owned.add(id)
      return () => owned.delete(id)
    },
    running: () => [...new Set([...owned, ...runHere()])],
  }
}
