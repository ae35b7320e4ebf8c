/** The thread of a session: everything that it follows or was forked from, and everything that follows. */
import type { SessionEvent } from '../../core/log/event.ts'
import { parentOf } from '../../core/log/links.ts'
import type { Archive, FoundSession } from './archive.ts'
import { found } from './summary.ts'

/** A thread that is longer is shown in part. */
const mostUp = 50
const mostDown = 200

type Threads = Pick<Archive, 'read' | 'find'>

const parentIn = ([first]: readonly SessionEvent[]): string | undefined =>
  first?.type === 'session-opened' ? parentOf(first)?.session : undefined

/** The log of the oldest session that is still there. A log that names itself, as an import may, ends the way up. */
const rootOf = async (log: readonly SessionEvent[], archive: Threads): Promise<readonly SessionEvent[]> => {
  let root = log
  const seen = new Set<string>()
  while (seen.size < mostUp) {
    const parent = parentIn(root)
    if (parent === undefined || seen.has(parent) || !/^[\w-]{1,100}$/.test(parent)) return root
    seen.add(parent)
    const above = await archive.read(parent)
    if (above.length === 0) return root
    root = above
  }
  return root
}

/** Each session before what follows it, older ones first. The whole is one session if it stands alone. */
export const threadOf = async (log: readonly SessionEvent[], archive: Threads): Promise<FoundSession[]> => {
  const top = found(await rootOf(log, archive), [])
  const thread: FoundSession[] = []
  const waiting = [top]
  const seen = new Set<string>()
  while (waiting.length > 0 && thread.length < mostDown) {
    const session = waiting.shift()!
    if (seen.has(session.id)) continue
    seen.add(session.id)
    thread.push(session)
    const { sessions } = await archive.find({ parent: session.id }, { limit: mostDown })
    waiting.unshift(...sessions.toReversed())
  }
  return thread
}
