/**
 * The archive as the visitor of the request sees it. What they may not read isn't there, so nothing that is built on an
 * archive can show it, whichever route, tool or page asks. A method that is missing here doesn't compile.
 */
import type { Archive, Filing, FoundSession, Ownership } from '../store/archive/archive.ts'
import { ownOrTeams } from './own-or-teams.ts'
import { type Action, whoseIs } from './permissions.ts'
import { personSchema } from './person.ts'
import { checkMay, currentVisitor, type Visitor } from './visitor.ts'

/** Milliseconds for which a request need not look again whose a session is. */
const fresh = 1_000

type Owners = Pick<Archive, 'filing' | 'record'>
interface Known {
  readonly at: number
  readonly filing: Promise<Filing | undefined>
}

/** By visitor, of whom there is a new one for each request. */
const lookedUp = new WeakMap<Visitor, Map<string, Known>>()

const filingFor = (archive: Owners, visitor: Visitor, id: string): Promise<Filing | undefined> => {
  const known = lookedUp.get(visitor) ?? new Map<string, Known>()
  lookedUp.set(visitor, known)
  const before = known.get(id)
  if (before && performance.now() - before.at < fresh) return before.filing
  const filing = archive.filing(id)
  known.set(id, { at: performance.now(), filing })
  return filing
}

/** Nobody sees by a link what belongs to somebody who was shut out. */
const isShutOut = async (archive: Owners, { owner }: Ownership): Promise<boolean> => {
  const person = owner === null ? undefined : await archive.record('person', owner)
  return personSchema.safeParse(person).data?.disabled ?? false
}

/** Undefined if there is no such session, or it is another person's private one: nobody can tell which. */
export const filingSeen = async (
  archive: Owners,
  visitor: Visitor,
  id: string,
): Promise<Filing | undefined> => {
  const filing = await filingFor(archive, visitor, id)
  if (!filing || visitor.kind === 'machine') return filing
  if (visitor.kind === 'link') return (await isShutOut(archive, filing)) ? undefined : filing
  return whoseIs(filing, visitor.person) === 'private' ? undefined : filing
}

/** Throws if the visitor may not do this to the session, or to the server. */
export const checkPermission = (visitor: Visitor, action: Action, ownership?: Ownership): void =>
  checkMay(
    visitor,
    action,
    ownership && visitor.kind === 'person' ? whoseIs(ownership, visitor.person) : undefined,
  )

/** Whose a session is that the visitor opens: their own, and private. */
export const ownershipOfNew = (visitor: Visitor): Ownership | undefined => {
  checkPermission(visitor, 'ask')
  return visitor.kind === 'person' ? { owner: visitor.person.id, visibility: 'private' } : undefined
}

const notForRoutes = (): Promise<never> =>
  Promise.reject(new Error('Records of people are not read through the archive of a request.'))

export const scopedArchive = (archive: Archive): Archive => {
  const seen = (id: string) => filingSeen(archive, currentVisitor(), id)
  const forget = (id: string): void => void lookedUp.get(currentVisitor())?.delete(id)
  /** True if the visitor may do it; false if there is nothing to do it to. */
  const permitted = async (action: Action, id: string): Promise<boolean> => {
    const ownership = await seen(id)
    if (ownership) checkPermission(currentVisitor(), action, ownership)
    return ownership !== undefined
  }
  const lineups = ownOrTeams(archive, 'lineup', {
    has: async name => Object.hasOwn(await archive.lineups(), name),
    save: (name, seats) => archive.saveLineup(name, seats),
    remove: name => archive.removeLineup(name),
  })
  const find: Archive['find'] = async (filter, page) => {
    const visitor = currentVisitor()
    return archive.find(visitor.kind === 'person' ? { ...filter, viewer: visitor.person.id } : filter, page)
  }
  return {
    async append(id, events, ownership) {
      if (events[0]?.position === 0)
        return archive.append(id, events, ownership ?? ownershipOfNew(currentVisitor()))
      if (await permitted('change-session', id)) await archive.append(id, events)
    },
    async read(id, after) {
      return (await seen(id)) ? archive.read(id, after) : []
    },
    async list() {
      const sessions: FoundSession[] = []
      let cursor: string | undefined
      do {
        const page = await find({}, { limit: 200, ...(cursor && { cursor }) })
        sessions.push(...page.sessions)
        cursor = page.next ?? undefined
      } while (cursor)
      return sessions
    },
    /** Before a session is opened, its files are kept for nobody else to see. */
    async keepFiles(id, files) {
      if ((await archive.filing(id)) && !(await permitted('change-session', id))) return
      await archive.keepFiles(id, files)
    },
    async file(id, sha256) {
      return (await seen(id)) ? archive.file(id, sha256) : undefined
    },
    async remove(id) {
      if (await permitted('delete-session', id)) await archive.remove(id)
      forget(id)
    },
    find,
    async tag(id, tags) {
      if (await permitted('change-session', id)) await archive.tag(id, tags)
      forget(id)
    },
    filing: seen,
    async own(id, ownership) {
      if (await permitted('share-session', id)) await archive.own(id, ownership)
      forget(id)
    },
    async lineups() {
      return { ...(await archive.lineups()), ...(await lineups.own()) }
    },
    saveLineup: lineups.save,
    removeLineup: lineups.remove,
    settings: () => archive.settings(),
    setting: name => archive.setting(name),
    saveSetting: (name, value) => archive.saveSetting(name, value),
    addSetting: (name, value) => archive.addSetting(name, value),
    removeSetting: name => archive.removeSetting(name),
    record: notForRoutes,
    ownedRecord: notForRoutes,
    records: notForRoutes,
    saveRecord: notForRoutes,
    addRecord: notForRoutes,
    removeRecord: notForRoutes,
    spending: notForRoutes,
    ledger: notForRoutes,
    countSpending: notForRoutes,
    asked: notForRoutes,
    close: () => archive.close(),
  }
}
