/** Live streams for people: they end when the sign-in or key ends, or the session is no longer theirs to see. */
import type { Accounts } from '../../accounts/accounts.ts'
import { filingSeen } from '../../accounts/scoped-archive.ts'
import { currentVisitor, type PersonVisitor, type Visitor } from '../../accounts/visitor.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { EventStreams } from '../event-stream.ts'
import type { Access } from '../watcher.ts'

/** By what a person watches: all streams of one sign-in or key end together. */
export const accessName = (by: PersonVisitor['by']): string =>
  'signIn' in by ? `sign-in ${by.signIn}` : `key ${by.key}`

export const scopedStreams = (streams: EventStreams, archive: Archive, accounts: Accounts): EventStreams => {
  const accessOf = ({ person, by }: PersonVisitor, session: string): Access => ({
    share: accessName(by),
    async holds() {
      const stillIn = 'signIn' in by ? accounts.signIns.holds(by.signIn) : accounts.keys.holds(by.key)
      const now = await accounts.people.withId(person.id)
      if (!now || now.disabled || !(await stillIn)) return false
      return (await filingSeen(archive, { kind: 'person', person: now, by }, session)) !== undefined
    },
  })
  /** Somebody with a link watches for as long as the link shows anything. */
  const linkAccess = (visitor: Visitor, session: string, access: Access | undefined): Access | undefined =>
    access && {
      ...access,
      holds: async () =>
        (await access.holds()) && (await filingSeen(archive, visitor, session)) !== undefined,
    }
  return {
    ...streams,
    async exists(session) {
      return (await filingSeen(archive, currentVisitor(), session)) !== undefined
    },
    watch(request, outgoing) {
      const visitor = currentVisitor()
      const { session } = request
      const access =
        visitor.kind === 'person' ? accessOf(visitor, session) : linkAccess(visitor, session, request.access)
      streams.watch({ ...request, access }, outgoing)
    },
  }
}
