/**
 * What people save under a name, as line-ups and templates: a person's own, or the team's. One's own are records, and
 * come first if both have the name; the team's are where they were before there were accounts.
 */

import { z } from 'zod'
import { templateSchema } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import type { TemplateShelf } from '../http/service.ts'
import type { Access, EventStreams } from '../http/stream.ts'
import type { Bus } from '../run/bus.ts'
import type { Engine, Queue } from '../run/jobs.ts'
import type { Archive, Filing, FoundSession, Json, Ownership } from '../store/archive.ts'
import { PositionTaken } from '../store/store.ts'
import {
  isServersId,
  type OpenReach,
  type OwnReach,
  type OwnServer,
  ownServer,
  withOwnServers,
} from '../table/open-reach.ts'
import { withOwnTemplates } from '../table/templates.ts'
import type { Accounts } from './accounts.ts'
import type { OwnEndpoints } from './people.ts'
import {
  type Action,
  checkMay,
  currentPerson,
  currentVisitor,
  type PersonVisitor,
  type Visitor,
  visitorMay,
  whoseIs,
} from './permissions.ts'
import { personSchema, secretHash } from './person.ts'

const actions = { lineup: 'change-lineup', template: 'change-template' } as const

export type SavedKind = keyof typeof actions

/** The team's. */
interface TeamShelf {
  has(name: string): Promise<boolean>
  save(name: string, value: Json): Promise<void>
  /** Says so if there is none. */
  remove(name: string): Promise<void>
}

export interface PersonalShelf extends Omit<TeamShelf, 'has'> {
  /** The visitor's own, by name. */
  own(): Promise<Readonly<Record<string, Json>>>
}

const mostOwn = 500

const keyOf = ({ person }: PersonVisitor, name: string): string => `${person.id} ${name}`

const ownOf = async (archive: Archive, kind: SavedKind): Promise<Readonly<Record<string, Json>>> => {
  const visitor = currentPerson()
  if (!visitor) return {}
  const rows = await archive.records(kind, { owner: visitor.person.id })
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(keyOf(visitor, '').length), value]))
}

/** Whether the visitor may delete what is saved under a name, as the table of permissions says. */
export const deletableBy = async (archive: Archive, kind: SavedKind): Promise<(name: string) => boolean> => {
  const own = await ownOf(archive, kind)
  return name => visitorMay(currentVisitor(), actions[kind], Object.hasOwn(own, name) ? 'own' : 'team')
}

export const ownOrTeams = (archive: Archive, kind: SavedKind, team: TeamShelf): PersonalShelf => {
  const action = actions[kind]
  return {
    own: () => ownOf(archive, kind),
    /** Those who may change the team's save the team's, unless they have one of their own by that name. */
    async save(name, value) {
      const visitor = currentVisitor()
      checkMay(visitor, action)
      if (visitor.kind !== 'person') return team.save(name, value)
      const own = await ownOf(archive, kind)
      const has = Object.hasOwn(own, name)
      if (!has && visitorMay(visitor, action, 'team')) return team.save(name, value)
      if (!has && Object.keys(own).length >= mostOwn)
        throw new UsageError(`You have ${mostOwn} of them. Delete one first.`)
      await archive.saveRecord(kind, keyOf(visitor, name), value, visitor.person.id)
    },
    async remove(name) {
      const visitor = currentVisitor()
      checkMay(visitor, action)
      if (visitor.kind === 'person') {
        if ((await archive.removeRecord(kind, keyOf(visitor, name))) !== undefined) return
        if (await team.has(name)) checkMay(visitor, action, 'team')
      }
      await team.remove(name)
    },
  }
}

// scopedArchive: The archive as the visitor of the request sees it. What they may not read isn't there, so nothing that is built on an
// archive can show it, whichever route, tool or page asks. A method that is missing here doesn't compile.

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

// scopedEngine: The engine as the visitor of the request may use it: their archive, and a queue and a bus that check the same.

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

// scopedReach: What the visitor of the request can seat: what the server can, and endpoints of their own.

/** People's endpoints that are remembered with the models that they listed. */
const mostKept = 500

const keptServers = (endpoints: OwnEndpoints, clock: () => number) => {
  const kept = new Map<string, OwnServer>()
  return async (person: string): Promise<readonly OwnServer[]> =>
    (await endpoints.open(person)).map(settings => {
      const { id, baseURL, key } = settings
      const name = secretHash(JSON.stringify([person, id, baseURL, key]))
      const server = kept.get(name) ?? ownServer(settings, clock)
      kept.delete(name)
      kept.set(name, server)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return server
    })
}

export interface OwnSeats {
  readonly endpoints: OwnEndpoints
  /** Reads somebody's endpoints, so that the rest of the visitor's request can seat them. */
  seatsFor(visitor: PersonVisitor, person: string): Promise<void>
  /** Whether the server has this name, so that nobody can take it. */
  isServers(id: string): boolean
}

/** Until the guard has called `seatsFor`, a request sees what the server has for everybody. */
export const scopedReach = <Whole extends OpenReach>(
  reach: Whole,
  endpoints: OwnEndpoints,
  clock: () => number,
): { readonly reach: Whole; readonly own: OwnSeats } => {
  const serversOf = keptServers(endpoints, clock)
  const prepared = new WeakMap<PersonVisitor, OwnReach>()
  return {
    reach: new Proxy(reach, {
      get(whole, part) {
        const visitor = currentPerson()
        const own = visitor && prepared.get(visitor)
        return Reflect.get(own && part in own ? own : whole, part)
      },
    }),
    own: {
      endpoints,
      isServers: id => isServersId(reach, id),
      async seatsFor(visitor, person) {
        const servers = await serversOf(person)
        if (servers.length > 0) prepared.set(visitor, withOwnServers(reach, servers))
      },
    },
  }
}

// scopedStreams: Live streams for people: they end when the sign-in or key ends, or the session is no longer theirs to see.

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

// scopedTemplates: Templates as the visitor of the request sees them: their own, then the team's, which are the server's files.

export const scopedTemplates = (team: TemplateShelf, archive: Archive): TemplateShelf => {
  const { own, save, remove } = ownOrTeams(archive, 'template', {
    ...team,
    // What is saved was checked before, as any template.
    save: (name, value) => team.save(name, templateSchema.parse(value)),
  })
  return {
    async list() {
      const { templates, problems } = withOwnTemplates(await own(), await team.list())
      const mayDelete = await deletableBy(archive, 'template')
      return {
        templates: templates.map(one =>
          one.origin === 'saved' ? { ...one, mayDelete: mayDelete(one.name) } : one,
        ),
        problems,
      }
    },
    save: (name, template) => save(name, z.json().parse(template)),
    remove,
    has: team.has,
  }
}
