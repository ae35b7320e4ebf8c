/** What the routes are given to work with. */
import type { HttpBindings } from '@hono/node-server'
import type { Roundtable } from '../library/roundtable.ts'
import type { Config } from '../table/config.ts'
import type { HouseModel } from '../table/house-models.ts'
import type { Engine } from '../worker/engine.ts'
import type { EventStreams } from './event-stream.ts'
import type { HouseFetch } from './house-fetch.ts'
import type { ServerLog } from './log.ts'

export interface ServerLimits {
  readonly bodyBytes: number
  /** Requests that change something, of one address. */
  readonly writesPerMinute: number
}

export interface Service {
  readonly engine: Engine
  readonly table: Roundtable
  readonly config: Config
  readonly streams: EventStreams
  readonly house: HouseFetch
  /** The models of the house, those that are not here among them. */
  readonly houseModels: () => Promise<readonly HouseModel[]>
  readonly limits: ServerLimits
  readonly log: ServerLog
  readonly clock: () => number
  readonly newId: () => string
  /** Asks providers for their lists of models, where that is worth it. */
  readonly refreshModels: () => Promise<unknown>
  /** A token is asked for. */
  readonly guarded: boolean
  readonly version: string
}

export interface Env {
  Bindings: HttpBindings
  Variables: {
    /** The id that a session opened by this request takes: the same one, however often the request comes. */
    plannedId?: string
  }
}
