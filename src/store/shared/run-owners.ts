/** Which sessions are being run, as far as whoever holds the archive knows. */
import { UsageError } from '../../core/errors.ts'

export interface RunOwners {
  /** Marks a session as being run, until it is let go; refused where somebody runs it already. */
  take(id: string): () => void
  all(): readonly string[]
}

/** Besides what is claimed here, `others` are being run by the holder itself. */
export const runOwnersBeside = (others: () => readonly string[] = () => []): RunOwners => {
  const taken = new Set<string>()
  return {
    take(id) {
      if (taken.has(id) || others().includes(id)) {
        throw new UsageError(`Session ${id} is already running.`, 'already-running', { session: id })
      }
      taken.add(id)
      return () => taken.delete(id)
    },
    all: () => [...new Set([...taken, ...others()])],
  }
}
