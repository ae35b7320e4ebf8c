/** The engine as the visitor of the request may use it: their archive, and a queue and a bus that check the same. */

import { checkPermission, filingSeen, ownershipOfNew, scopedArchive } from '../../accounts/scoped-archive.ts'
import { currentVisitor, type Visitor } from '../../accounts/visitor.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { PositionTaken } from '../../store/store.ts'
import type { Bus } from '../../worker/bus.ts'
import type { Engine, Queue } from '../../worker/engine.ts'

const scopedQueue = (queue: Queue, archive: Archive): Queue => ({
  open: async (first, rest) => queue.open(first, rest, ownershipOfNew(currentVisitor())),
  async interject(session, position, happening) {
    const ownership = await filingSeen(archive, currentVisitor(), session)
    // As for a session that was deleted after it was read.
    if (!ownership) throw new PositionTaken(session, position)
    checkPermission(currentVisitor(), 'change-session', ownership)
    return queue.interject(session, position, happening)
  },
})

/** Each event is handed on only if the visitor may still see the session. They stay in their order. */
const scopedBus = (bus: Bus, archive: Archive): Bus => ({
  ...bus,
  subscribe(session, listener, wants) {
    const visitor: Visitor = currentVisitor()
    let last: Promise<void> = Promise.resolve()
    return bus.subscribe(
      session,
      event => {
        last = last
          .then(async () => {
            if (await filingSeen(archive, visitor, session)) listener(event)
          })
          .catch(() => {})
      },
      wants,
    )
  },
  // Live streams, which are the only ones to want them, are watched through the server's own bus.
  drafts: () => [],
})

export const scopedEngine = (engine: Engine): Engine => {
  const { archive, bus, queue } = engine
  return {
    ...engine,
    archive: scopedArchive(archive),
    bus: scopedBus(bus, archive),
    queue: scopedQueue(queue, archive),
  }
}
