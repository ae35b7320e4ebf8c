/** What every way to sign in needs of the server. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Person } from '../../accounts/person.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { Env, Service } from '../service.ts'

export interface Doors {
  readonly app: OpenAPIHono<Env>
  readonly accounts: Accounts
  /** Everybody's: nobody has signed in yet. */
  readonly archive: Archive
  readonly log: Service['log']
  readonly clock: () => number
  /** Counts a failed try by its address, and refuses more than a few a minute. */
  readonly failed: (context: Context<Env>) => void
  /** Starts a sign-in of this person, and sets its cookie. */
  enter(context: Context<Env>, person: Person): Promise<void>
  /** Whoever is signed in. */
  personOf(context: Context<Env>): Promise<Person | undefined>
}
