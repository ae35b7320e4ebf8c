/** What the visitor of the request can seat: what the server can, and endpoints of their own. */
import type { OwnEndpoints } from '../../accounts/own-endpoints.ts'
import { secretHash } from '../../accounts/secrets.ts'
import { currentPerson, type PersonVisitor } from '../../accounts/visitor.ts'
import type { OpenReach } from '../../table/index.ts'
import {
  isServersId,
  type OwnReach,
  type OwnServer,
  ownServer,
  withOwnServers,
} from '../../table/own-servers.ts'

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
