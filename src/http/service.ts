/** What the routes are given to work with. */

import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import type { Accounts } from '../accounts/accounts.ts'
import type { MakerKeys } from '../accounts/people.ts'
import type { OwnSeats } from '../accounts/scoped.ts'
import type { OidcSettings } from '../accounts/sign-in.ts'
import { problemSchema } from '../api/common.ts'
import type { Template } from '../core/ask.ts'
import type { Engine } from '../run/jobs.ts'
import type { Runtime } from '../run/runtime.ts'
import type { Archive } from '../store/archive.ts'
import type { LiveReach, OpenReach } from '../table/open-reach.ts'
import type { HouseModel } from '../table/reach.ts'
import type { Asker } from '../table/resolve.ts'
import {
  isSavedTemplate,
  listTemplates,
  removeTemplate,
  saveTemplate,
  type Templates,
} from '../table/templates.ts'
import type { HouseFetch } from './house-fetch.ts'
import { refusalOf, type ServerLog } from './log.ts'
import type { EventStreams, StreamLimits } from './stream.ts'

// templates: The templates of this server: files of its data folder.

export interface TemplateShelf {
  list(): Promise<Templates>
  save(name: string, template: Template): Promise<void>
  /** Throws UsageError if nobody saved one by that name. */
  remove(name: string): Promise<void>
  /** Also if it can't be read. */
  has(name: string): Promise<boolean>
}

/** `data`: the folder may change with the settings. */
export const templateFiles = (data: () => string): TemplateShelf => ({
  list: async () => listTemplates(data()),
  save: async (name, template) => saveTemplate(data(), name, template),
  remove: async name => removeTemplate(data(), name),
  has: async name => isSavedTemplate(data(), name),
})

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
    /** Of the client, and not of a proxy in front of the server. */
    address?: string
    /** The id that a session opened by this request takes: the same one, however often the request comes. */
    plannedId?: string
    /** The request has the token that may also change the settings. */
    admin?: boolean
    /** What the audit log says instead of the name of the permission. */
    done?: string
  }
}

// router: A router that checks requests against their schemas, and what all routes share in the OpenAPI document.

export const router = () =>
  new OpenAPIHono<Env>({
    defaultHook: result => {
      if (!result.success) throw refusalOf(result.target, result.error)
    },
  })

const sessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/

export const isSessionId = (text: string): boolean => sessionId.test(text)

export const sessionParams = z.object({
  id: z.string().regex(sessionId, 'Ids consist of letters, digits, "-" and "_".'),
})

export const replies = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

export const takes = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

export const problems = {
  '4XX': {
    content: { 'application/problem+json': { schema: problemSchema } },
    description: 'What is wrong, and how to fix it',
  },
} as const
