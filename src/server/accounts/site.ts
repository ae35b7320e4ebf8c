/** The address that the people of a request use, which may be a proxy's in front of this server. */
import type { Context } from 'hono'
import type { Site } from '../../accounts/passkeys.ts'
import type { Env } from '../service.ts'

export const siteOf = ({ req }: Context<Env>): Site => {
  const { origin, hostname } = new URL(req.url)
  const secure = req.header('x-forwarded-proto') === 'https'
  return { origin: secure ? origin.replace(/^http:/, 'https:') : origin, host: hostname }
}
