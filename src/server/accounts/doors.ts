/** What every way to log in needs of the server. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Env, ServedAccounts, Service } from '../service.ts'

export interface Doors extends Pick<Service, 'log' | 'clock'> {
  readonly app: OpenAPIHono<Env>
  readonly accounts: ServedAccounts
  /** Counts a failed try by its address, and refuses more than a few a minute. */
  readonly wrong: (context: Context<Env>) => void
}
