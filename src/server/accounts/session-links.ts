/** Links are secrets: whoever may only read a session doesn't get the links to it, and to the seats at it. */

import { whoseIs } from '../../accounts/permissions.ts'
import { currentPerson, visitorMay } from '../../accounts/visitor.ts'
import { type FoundReply, type SessionReply, sessionActs } from '../../api/index.ts'
import type { Service } from '../service.ts'

/** The reply without such links, and with whose the session is. Without accounts, the reply as it is. */
export const asVisitorSees = async (service: Service, reply: SessionReply): Promise<SessionReply> => {
  const visitor = currentPerson()
  const ownership = visitor && (await service.engine.archive.filing(reply.id))
  if (!visitor || !ownership) return reply
  const whose = whoseIs(ownership, visitor.person)
  const people = reply.people.map(one => ({ ...one, path: null }))
  const ownerName = async (owner: string): Promise<string | null> =>
    owner === visitor.person.id
      ? visitor.person.name
      : ((await service.accounts?.people.withId(owner))?.name ?? null)
  return {
    ...reply,
    ...(!visitorMay(visitor, 'share-session', whose) && { share: null }),
    ...(!visitorMay(visitor, 'change-session', whose) && { people }),
    ownership: {
      ...{ own: whose === 'own', visibility: ownership.visibility },
      by: ownership.owner && (await ownerName(ownership.owner)),
      may: sessionActs.filter(act => visitorMay(visitor, act, whose)),
    },
  }
}

/** Found sessions with the names of their owners, if those are others. Without accounts, as they are. */
export const withOwners = async (
  { accounts }: Service,
  sessions: readonly FoundReply[],
): Promise<readonly FoundReply[]> => {
  const me = currentPerson()?.person.id
  const isOthers = ({ owner }: FoundReply): boolean => owner !== undefined && owner !== me
  if (!accounts || !sessions.some(isOthers)) return sessions
  const names = new Map((await accounts.people.list()).map(({ id, name }) => [id, name]))
  return sessions.map(one => {
    const by = isOthers(one) ? names.get(one.owner ?? '') : undefined
    return by === undefined ? one : { ...one, by }
  })
}
