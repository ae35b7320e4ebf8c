/** The cookie of a sign-in. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { signInDays } from '../../accounts/sign-ins.ts'
import type { Env } from '../service.ts'

const cookieName = 'roundtable-sign-in'

export const signInSecret = (context: Context<Env>): string | undefined => getCookie(context, cookieName)

/**
 * Lax, because a provider of sign-ins sends people back from its own site. Only visits send the cookie then, and
 * everything that changes something also has to come from a page of this server.
 */
export const keepSignIn = (context: Context<Env>, secret: string): void =>
  setCookie(context, cookieName, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: context.req.header('x-forwarded-proto') === 'https',
    maxAge: signInDays * 86_400,
  })

export const dropSignIn = (context: Context<Env>): void => {
  if (signInSecret(context) !== undefined) deleteCookie(context, cookieName, { path: '/' })
}
