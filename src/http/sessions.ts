/** What the routes do with sessions: open one, read one, act on one. */
import { currentPerson, forEachPerson } from '../accounts/permissions.ts'
import type { AnswerBody, ForkBody, PersonLink, Share } from '../api/sessions.ts'
import { UsageError } from '../core/basics.ts'
import type { Happening, SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import {
  type SessionRecord,
  sessionRecordOf,
  type TrackRecord,
  trackRecordFrom,
} from '../count/track-record.ts'
import { lettersOfBook } from '../letters/table.ts'
import { answerFromOutside } from '../run/run.ts'
import type { Archive, FoundSession } from '../store/archive.ts'
import { PositionTaken } from '../store/store.ts'
import type { AskInput } from '../table/ask.ts'
import { savedLineups } from '../table/config.ts'
import { forkAt, forkOf } from '../table/fork.ts'
import { type Asker, type Opening, resolveAsk } from '../table/resolve.ts'
import { fromTemplate, type TemplateRequest } from '../table/templates.ts'
import { tokenLinks } from './guards.ts'
import type { HouseFetch } from './house-fetch.ts'
import { misused, Refusal, unknownSession } from './log.ts'
import type { Service } from './service.ts'

// asker: Whoever asks this server: the line-ups saved here, and a built-in model only if somebody agreed to its download.

/** Requests name no files: whoever runs the server says which ones there are. */
export const askerOn = (archive: Archive, house: HouseFetch): Asker => {
  const recordFor = forEachPerson(() => trackRecordOn(archive))
  return {
    lineups: () => savedLineups(archive),
    letters: id => lettersOfBook(archive, id),
    log: id => archive.read(id),
    record: (newest = usualRecords) => recordFor()(newest),
    file: async (session, sha256) => (await archive.file(session, sha256))?.data,
    get person() {
      return currentPerson()?.person.id
    },
    async builtIn(wanted) {
      const ready = await house.ready(wanted)
      if (ready) return ready
      const name = wanted?.name ?? (await house.state()).name
      throw new UsageError(`The built-in model ${name} isn't downloaded yet.`, 'no-consent')
    },
    async engine() {
      if (!house.hasEngine())
        throw new UsageError("The engine for local models isn't downloaded yet.", 'no-consent')
    },
  }
}

// seatLinks: Links of people's seats: each is good for one seat, while its session runs, and for nothing else.

const links = tokenLinks({
  of: subject => `link of seat ${subject}`,
  by: token => `seat linked by ${token}`,
})

/** Ids of sessions and seats have no slash. */
const subjectOf = (session: string, seat: string): string => `${session}/${seat}`

export const pathOfSeat = (token: string): string => `/seat/${token}`

const personLink = ({ id, name }: Session['seats'][number], token: string | undefined): PersonLink => ({
  seat: id,
  name,
  path: token === undefined ? null : pathOfSeat(token),
})

const peopleIn = ({ seats }: Pick<Session, 'seats'>): Session['seats'] => seats.filter(({ person }) => person)

type Seated = Pick<Session, 'id' | 'seats'>

/** Every person at the table, with the link of their seat if there is one. */
export const personLinks = (archive: Archive, session: Seated): Promise<PersonLink[]> =>
  Promise.all(
    peopleIn(session).map(async seat =>
      personLink(seat, await links.tokenOf(archive, subjectOf(session.id, seat.id))),
    ),
  )

/** Makes the links that are missing, of one seat or of all people. */
export const makeLinks = (archive: Archive, session: Seated, only?: string): Promise<PersonLink[]> =>
  Promise.all(
    peopleIn(session)
      .filter(({ id }) => only === undefined || id === only)
      .map(async seat => personLink(seat, await links.make(archive, subjectOf(session.id, seat.id)))),
  )

export const revokeLink = (archive: Archive, session: string, seat: string): Promise<string | undefined> =>
  links.revoke(archive, subjectOf(session, seat))

export const revokeLinks = async (archive: Archive, session: Seated): Promise<void> => {
  await Promise.all(peopleIn(session).map(({ id }) => revokeLink(archive, session.id, id)))
}

export interface LinkedSeat {
  readonly session: Session
  readonly seat: string
}

/** Undefined if the link was revoked, never existed, or its session is over or deleted. */
export const seatLinked = async (archive: Archive, token: string): Promise<LinkedSeat | undefined> => {
  const [id, seat] = (await links.subjectOf(archive, token))?.split('/') ?? []
  const log = id === undefined ? [] : await archive.read(id)
  if (seat === undefined || log.length === 0) return undefined
  const session = fold(log)
  const holds = session.seats.some(one => one.id === seat && one.person)
  return holds && !session.outcome && !session.stopped ? { session, seat } : undefined
}

// sessionRecords: What finished sessions add to the track record, kept from one request to the next: only what is new is read.

const pageSize = 200

interface Known {
  /** Of the last event that was read. */
  readonly position: number
  readonly record: SessionRecord | undefined
}

/** A session that was removed and imported again may be another one under the same name. */
const keyOf = ({ id, openedAt, question }: FoundSession): string => JSON.stringify([id, openedAt, question])

export const createSessionRecords = (archive: Pick<Archive, 'find' | 'read'>) => {
  let known = new Map<string, Known>()

  const current = async (session: FoundSession): Promise<Known | undefined> => {
    const before = known.get(keyOf(session))
    if (before && (await archive.read(session.id, before.position)).length === 0) return before
    const log = await archive.read(session.id)
    // It may have been removed after the page was read.
    return log.length === 0 ? undefined : { position: log.length - 1, record: sessionRecordOf(fold(log)) }
  }

  /** Of the newest finished sessions. It reads one log at a time, so that other requests are served in between. */
  return async (most: number): Promise<SessionRecord[]> => {
    const seen = new Map<string, Known>()
    let cursor: string | undefined
    do {
      const page = await archive.find({}, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
      for (const session of page.sessions) {
        if (session.outcome === null || seen.size === most) continue
        const one = await current(session)
        if (one) seen.set(keyOf(session), one)
      }
      cursor = page.next ?? undefined
    } while (cursor !== undefined && seen.size < most)
    // A request for a few says nothing about the others.
    known = seen.size === most ? new Map([...known, ...seen]) : seen
    return [...seen.values()].flatMap(({ record }) => record ?? [])
  }
}

/** How many of the newest sessions are read, if nobody says it. */
const usualRecords = 2_000

const trackRecordOn = (archive: Archive) => {
  const recordsOfNewest = createSessionRecords(archive)
  /** Requests that come at the same time share one reading of the archive. */
  const underWay = new Map<number, Promise<TrackRecord>>()
  return (limit: number): Promise<TrackRecord> => {
    const known = underWay.get(limit)
    if (known) return known
    const reading = recordsOfNewest(limit).then(trackRecordFrom)
    underWay.set(limit, reading)
    const forget = (): void => void underWay.delete(limit)
    reading.then(forget, forget)
    return reading
  }
}

export const logOf = async ({ engine }: Service, id: string): Promise<SessionEvent[]> => {
  const log = await engine.archive.read(id)
  if (log.length === 0) throw unknownSession(id)
  return log
}

/** A request, resolved: what would be asked of whom, or a refusal. */
export const openingFor = async (
  service: Service,
  request: TemplateRequest,
  id: string,
): Promise<Opening> => {
  const { reach, asker, templates } = service
  try {
    return await resolveAsk(await fromTemplate(request, templates.list), id, reach, asker)
  } catch (error) {
    throw misused(422, error)
  }
}

/** Opens a session. If it is tried again with the same planned id, the session is opened only once. */
export const openSession = async (
  service: Service,
  request: TemplateRequest,
  plannedId?: string,
): Promise<string> =>
  openedWith(service, await openingFor(service, request, plannedId ?? service.newId()), plannedId)

/** A fork of a session from its start, or at the close of a round: what would be asked of whom, or a refusal. */
export const forkOpening = async (
  service: Service,
  from: string,
  { at, ...changes }: ForkBody,
  id: string,
): Promise<Opening> => {
  const { reach, asker } = service
  const log = await asker.log(from)
  if (log.length === 0) throw unknownSession(from)
  if (at === undefined) return openingFor(service, forkOf(fold(log), changes), id)
  const settle = (input: AskInput) => resolveAsk(input, id, reach, asker)
  return forkAt(log, at, changes, reach, settle).catch(error => {
    throw misused(422, error)
  })
}

export const forkSession = async (
  service: Service,
  from: string,
  body: ForkBody,
  plannedId?: string,
): Promise<string> =>
  openedWith(service, await forkOpening(service, from, body, plannedId ?? service.newId()), plannedId)

const openedWith = async (service: Service, opening: Opening, plannedId?: string): Promise<string> => {
  const first = await opening.first(service.clock)
  if (opening.files.length > 0) await service.engine.archive.keepFiles(first.id, opening.files)
  try {
    await service.engine.queue.open(first, opening.rest?.(service.clock))
  } catch (error) {
    if (!PositionTaken.isInstance(error) || plannedId === undefined) throw error
  }
  await makeLinks(service.engine.archive, first)
  return first.id
}

const mostTries = 8

export type Decide = (session: Session) => Happening | Promise<Happening>

/** Appends what `decide` returns for the current session. If the log has grown meanwhile, it decides again. */
export const act = async (service: Service, id: string, decide: Decide): Promise<SessionEvent> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const session = fold(await logOf(service, id))
    const happening = await decided(session, decide)
    try {
      return await service.engine.queue.interject(id, session.position, happening)
    } catch (error) {
      if (!PositionTaken.isInstance(error)) throw error
    }
  }
  throw new Refusal(409, 'The session is changing too fast. Try again in a moment.')
}

/** If the session is in the wrong state for it, that is a conflict and not a mistake in the request. */
const decided = async (session: Session, decide: Decide): Promise<Happening> => {
  try {
    return await decide(session)
  } catch (error) {
    throw misused(409, error)
  }
}

/** The answer of somebody who holds a seat from outside. */
export const handIn = (
  service: Service,
  id: string,
  seat: string,
  { round, answer }: AnswerBody,
): Promise<SessionEvent> =>
  act(service, id, session => answerFromOutside(session, seat, round, answer, service.clock()))

// shares: Links that show one session to whoever has them.

const shareLinks = tokenLinks({
  of: session => `share of session ${session}`,
  by: token => `shared by ${token}`,
})

export const shareWith = (token: string): Share => ({ token, path: `/shared/${token}` })

export const shareOf = async (archive: Archive, session: string): Promise<Share | null> => {
  const token = await shareLinks.tokenOf(archive, session)
  return token === undefined ? null : shareWith(token)
}

/** Returns the same link until it is revoked. */
export const share = async (archive: Archive, session: string): Promise<Share> =>
  shareWith(await shareLinks.make(archive, session))

/** Returns the token that was revoked. */
export const unshare = shareLinks.revoke

export const sessionShared = shareLinks.subjectOf
