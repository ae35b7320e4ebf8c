/** Which provider people may log in with, from the server's environment. */
import { UsageError } from '../../core/errors.ts'
import { type Environment, variable } from '../../providers/endpoints.ts'

export interface OidcSettings {
  readonly issuer: URL
  readonly clientId: string
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string
  /** What the button says: "Log in with …". */
  readonly name: string
  /** Everybody with a verified address in one of these domains may come in. Empty: invited people only. */
  readonly domains: readonly string[]
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

const issuerFrom = (text: string): URL => {
  const issuer = URL.parse(text)
  if (issuer && (issuer.protocol === 'https:' || (issuer.protocol === 'http:' && isLoopback(issuer))))
    return issuer
  throw new UsageError(
    'ROUNDTABLE_OIDC_ISSUER must be the https address of your provider, such as https://accounts.example.com.',
  )
}

/** Undefined if no provider is set. */
export const oidcFrom = (env: Environment): OidcSettings | undefined => {
  const issuer = variable(env, 'ROUNDTABLE_OIDC_ISSUER')
  const clientId = variable(env, 'ROUNDTABLE_OIDC_CLIENT_ID')
  const clientSecret = variable(env, 'ROUNDTABLE_OIDC_CLIENT_SECRET')
  if (issuer === undefined && clientId === undefined) return undefined
  if (issuer === undefined || clientId === undefined)
    throw new UsageError('Set both ROUNDTABLE_OIDC_ISSUER and ROUNDTABLE_OIDC_CLIENT_ID, or neither.')
  const url = issuerFrom(issuer)
  const domains = (variable(env, 'ROUNDTABLE_OIDC_DOMAINS') ?? '').toLowerCase().split(/[\s,]+/)
  return {
    issuer: url,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    name: variable(env, 'ROUNDTABLE_OIDC_NAME') ?? url.hostname,
    domains: domains.filter(domain => domain !== ''),
  }
}
