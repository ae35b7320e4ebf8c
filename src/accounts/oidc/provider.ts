/** The provider that people log in with: OpenID Connect, authorization code with PKCE, state and nonce. */
import type { Configuration } from 'openid-client'
import { limitedTo } from '../../providers/http/reply-size.ts'
import { OidcFailure } from './failure.ts'
import type { OidcSettings } from './settings.ts'

/** What the browser's sign-in must match when it comes back. */
export type OidcChecks = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who the provider says it is. Known by issuer and subject: an address can change hands. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  /** The provider has checked that the address is theirs. */
  readonly emailVerified: boolean
  readonly name?: string
}

export interface OidcProvider {
  /** The address to send the browser to. */
  begin(redirect: string): Promise<{ readonly address: URL; readonly checks: OidcChecks }>
  /** Exchanges the code in the address that the browser came back to. Throws OidcFailure. */
  finish(callback: URL, checks: OidcChecks): Promise<Identity>
}

const seconds = 10
const longestName = 200
/** Of bytes. Keys and claims take a few thousand. */
const longestReply = 1_000_000
/** Of characters; the standard allows no more. */
const longestSubject = 255

const cappedFetch = async (address: string, options: object): Promise<Response> =>
  limitedTo(longestReply, await fetch(address, options))

/** An error of the library as a problem that a person can do something about. */
const failureOf = (error: unknown): OidcFailure => {
  if (error instanceof OidcFailure) return error
  const { code, error: reason, cause } = error as { code?: string; error?: string; cause?: unknown }
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return new OidcFailure('refused', error)
  if (reason === 'invalid_grant') return new OidcFailure('replayed', error)
  const network = error instanceof TypeError || cause instanceof TypeError || code === 'OAUTH_TIMEOUT'
  const broken = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON'
  return new OidcFailure(network || broken ? 'away' : 'invalid', error)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longestName) : undefined

const identityFrom = (issuer: string, claims: Readonly<Record<string, unknown>>): Identity => {
  const [email, name] = [textOf(claims.email), textOf(claims.name)]
  if (typeof claims.sub !== 'string' || claims.sub.length > longestSubject) throw new OidcFailure('invalid')
  return {
    issuer,
    subject: claims.sub,
    ...(email !== undefined && { email }),
    emailVerified: claims.email_verified === true,
    ...(name !== undefined && { name }),
  }
}

export const openProvider = (settings: OidcSettings): OidcProvider => {
  const { issuer, clientId, clientSecret } = settings
  let discovered: Promise<Configuration> | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await import('openid-client')
    return client.discovery(
      issuer,
      clientId,
      clientSecret,
      clientSecret === undefined ? client.None() : undefined,
      {
        timeout: seconds,
        [client.customFetch]: cappedFetch,
        execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
      },
    )
  }
  /** Asked once, and again after a failure: the provider may have been away. */
  const configuration = (): Promise<Configuration> => {
    discovered ??= discover().catch(error => {
      discovered = undefined
      throw new OidcFailure('away', error)
    })
    return discovered
  }

  return {
    async begin(redirect) {
      const client = await import('openid-client')
      const config = await configuration()
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: 'openid email profile',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { address, checks }
    },
    async finish(callback, { state, nonce, verifier }) {
      const client = await import('openid-client')
      if (callback.searchParams.get('state') !== state) throw new OidcFailure('wrong-state')
      const config = await configuration()
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        const isWhole = claims.email !== undefined || !config.serverMetadata().userinfo_endpoint
        const more = isWhole ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        return identityFrom(claims.iss, { ...more, ...claims })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}
