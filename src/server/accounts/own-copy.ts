/** The id of an imported session. */
import { createHash } from 'node:crypto'
import { currentPerson } from '../../accounts/visitor.ts'
import type { SessionEvent } from '../../core/log/event.ts'

/**
 * A person's import gets an id of its own, the same one each time. With the id in the file, the reply would tell whether
 * somebody else has a session with that id.
 */
export const ownCopy = (events: readonly SessionEvent[]): readonly SessionEvent[] => {
  const person = currentPerson()?.person.id
  const [first, ...rest] = events
  if (person === undefined || first?.type !== 'session-opened') return events
  const hash = createHash('sha256')
    .update(JSON.stringify([person, first.id]))
    .digest('hex')
  return [{ ...first, id: `${first.id.slice(0, 80)}-${hash.slice(0, 8)}` }, ...rest]
}
