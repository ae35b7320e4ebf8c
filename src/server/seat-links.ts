/** Links of people's seats: each is good for one seat, while its session runs, and for nothing else. */
import type { PersonLink } from '../api/index.ts'
import { fold, type Session } from '../core/log/state.ts'
import type { Archive } from '../store/archive/archive.ts'
import { tokenLinks } from './token-links.ts'

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
