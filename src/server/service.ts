/** What the routes are given to work with. */
import type { HttpBindings } from '@hono/node-server'
import type { Accounts } from '../accounts/accounts.ts'
import type { MakerKeys } from '../accounts/maker-keys.ts'
import type { OidcSettings } from '../accounts/oidc/settings.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Archive } from '../store/archive/archive.ts'
import type { HouseModel } from '../table/house-models.ts'
import type { Asker, OpenReach } from '../table/index.ts'
import type { LiveReach } from '../table/live-reach.ts'
import type { Engine } from '../worker/engine.ts'
import type { OwnSeats } from './accounts/scoped-reach.ts'
import type { EventStreams, StreamLimits } from './event-stream.ts'
import type { HouseFetch } from './house-fetch.ts'
import type { ServerLog } from './log.ts'
import type { TemplateShelf } from './templates.ts'

export interface ServerLimits extends StreamLimits {
  readonly bodyBytes: number
  /** Requests that change something, of one address. */
  readonly writesPerMinute: number
}

export interface ServedAccounts extends Accounts {
  /** What commands on this machine send, instead of a key. */
  readonly localToken?: string
  /** The whole archive, for the guard. */
  readonly archive: Archive
  /** The provider that people may log in with. */
  readonly oidc?: OidcSettings
  /** Where people keep keys of makers for their own sessions. Absent: the server has no secret to encrypt them. */
  readonly makerKeys?: MakerKeys
  /** Endpoints that people keep for their own sessions. Absent for the same reason. */
  readonly own?: OwnSeats
}

export interface Service {
  readonly engine: Engine
  /** What can be seated here. */
  readonly reach: OpenReach | LiveReach
  readonly asker: Asker
  readonly templates: TemplateShelf
  /** Proposes sharper wordings. Given up when the server closes. */
  readonly sharpen: Runtime['sharpen']
  /** Asks one model once. Given up when the server closes. */
  readonly call: Runtime['call']
  /** Aborted when the server closes: replies that wait for a session end then. */
  readonly closing: AbortSignal
  readonly streams: EventStreams
  readonly house: HouseFetch
  /** The models of the house, those that are not here among them. */
  readonly houseModels: () => Promise<readonly HouseModel[]>
  readonly limits: ServerLimits
  readonly log: ServerLog
  readonly clock: () => number
  readonly newId: () => string
  /** A token or a sign-in is asked for. */
  readonly guarded: boolean
  /** Only while accounts are on. Then the engine is that of the person who asks, and shows what they may see. */
  readonly accounts?: ServedAccounts
  /** Finished sessions are removed after so many milliseconds. Undefined: they are kept. */
  readonly keepMs?: number
  readonly version: string
}

export interface Env {
  Bindings: HttpBindings
  Variables: {
    /** The id that a session opened by this request takes: the same one, however often the request comes. */
    plannedId?: string
    /** The request has the token that may also change the settings. */
    admin?: boolean
    /** What the audit log says instead of the name of the permission. */
    done?: string
  }
}
