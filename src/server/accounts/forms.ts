/** What the pages of accounts share: reading a form, and showing what was wrong with it. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../accounts/accounts.ts'
import { currentPerson, type PersonVisitor } from '../../accounts/visitor.ts'
import { UsageError } from '../../core/errors.ts'
import { addressOf } from '../limits.ts'
import type { Fragment } from '../plain-page.ts'
import { Refusal } from '../problem.ts'
import type { Env } from '../service.ts'
import { keepSignIn } from './cookie.ts'

/** Anybody may send these forms. */
export const longestForm = 10_000

/** The text in a field of a form, without NUL, which no database takes; empty if there is none. */
export type FormFields = (name: string) => string

export const fieldsIn = async (context: Context<Env>): Promise<FormFields> => {
  const sent: Record<string, unknown> = await context.req.parseBody().catch(() => ({}))
  return name => {
    const value = sent[name]
    return typeof value === 'string' ? value.replaceAll('\0', '') : ''
  }
}

export const problemNote = (problem: string | undefined): Fragment =>
  problem === undefined ? html`` : html`<p class="wrong" role="alert" id="problem">${problem}</p>`

/** What a person did wrong, in words; anything else is an error of the program. */
export const wordsOf = (error: unknown): string => {
  if (UsageError.isInstance(error)) return error.message
  throw error
}

/** As the browser calls itself. */
export const browserOf = (context: Context<Env>): string => context.req.header('user-agent') ?? 'unknown'

/** Starts a sign-in in this browser. */
export const enter = async (
  accounts: Accounts,
  context: Context<Env>,
  person: Parameters<Accounts['signIn']>[0],
): Promise<void> => {
  keepSignIn(context, await accounts.signIn(person, addressOf(context), browserOf(context)))
}

/** A command on this machine has no account of its own. */
export const signedIn = (): PersonVisitor => {
  const visitor = currentPerson()
  if (visitor) return visitor
  throw new Refusal(403, 'Log in at /sign-in: this page is about your own account.')
}
