/** Logging in with the provider, from the button to the person: each flow is one browser's, and good once. */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { UsageError } from '../core/basics.ts'
import { type Environment, variable } from '../models/endpoints.ts'
import { limitedTo } from '../models/http.ts'
import type { Archive, Json } from '../store/archive.ts'
import type { Accounts } from './accounts.ts'
import { oneUse } from './people.ts'
import { type Person, secretHash } from './person.ts'

// failure: Why a sign-in with a provider failed, and what the person can do.

const words = {
  'no-flow': 'This login was not started in this browser, or it was used already. Start again.',
  expired: 'This login took longer than ten minutes. Start again.',
  'wrong-state': "The provider's reply doesn't belong to the login that this browser started. Start again.",
  refused:
    'The provider did not log you in: you said no there, or it did. Start again if you want to log in.',
  replayed: 'The provider did not accept its own code: it was used already, or it is too old. Start again.',
  invalid:
    "The provider's reply could not be checked. Start again; if it happens again, tell whoever runs this server.",
  away: 'The provider does not answer. Try again in a minute, or log in another way.',
  'not-invited':
    'Nobody has invited this account. Ask an admin of this server for an invitation link, and open it first.',
  disabled: 'This account was disabled. Ask an admin of this server.',
} as const

export type OidcProblem = keyof typeof words

export class OidcFailure extends Error {
  override readonly name = 'OidcFailure'
  readonly problem: OidcProblem

  constructor(problem: OidcProblem, cause?: unknown) {
    super(words[problem], { cause })
    this.problem = problem
  }
}

// settings: Which provider people may log in with, from the server's environment.

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

// provider: The provider that people log in with: OpenID Connect, authorization code with PKCE, state and nonce.

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

/** What is kept of a sign-in until the browser comes back. */
type Flow = OidcChecks & {
  readonly redirect: string
  /** The page to show afterwards. */
  readonly to: string
  /** The invitation that the person came with. */
  readonly invitation: string | null
}

export interface Begun {
  /** Where to send the browser. */
  readonly address: URL
  /** For a cookie of this browser. Only its hash is stored. */
  readonly secret: string
}

export interface Returned {
  readonly identity: Identity
  readonly to: string
  readonly invitation: string | null
}

export interface OidcSignIns {
  begin(start: { redirect: string; to: string; invitation: string | null }): Promise<Begun>
  /** `query`: what the provider added to our address. Throws OidcFailure. */
  finish(secret: string | undefined, query: string): Promise<Returned>
}

export const oidcSignIns = (
  provider: OidcProvider,
  archive: Pick<Archive, 'records' | 'addRecord' | 'removeRecord'>,
  clock: () => number,
): OidcSignIns => {
  const flows = oneUse<Flow>(archive, 'oidc-flow', clock)
  return {
    async begin(start) {
      const { address, checks } = await provider.begin(start.redirect)
      return { address, secret: await flows.put({ ...checks, ...start }) }
    },
    async finish(secret, query) {
      const flow = secret === undefined ? undefined : await flows.take(secret)
      if (flow === undefined) throw new OidcFailure('no-flow')
      if (flow === 'expired') throw new OidcFailure('expired')
      const { redirect, to, invitation, ...checks } = flow
      return { identity: await provider.finish(new URL(query, redirect), checks), to, invitation }
    },
  }
}

// admission: Who may come in with a provider's account: whoever is known by it, is invited, or belongs to a domain of the team's.

const linkSchema = z.object({ person: z.string() })

/** Never the address: whoever gets it next would be the same person. Hashed, because a subject may be any text. */
const keyOf = ({ issuer, subject }: Identity): string => secretHash(JSON.stringify([issuer, subject]))

const domainOf = ({ email, emailVerified }: Identity): string | undefined =>
  emailVerified ? email?.toLowerCase().split('@').at(-1) : undefined

const mostSameNames = 50

/** As the provider says it, with a number if somebody else is called so. */
const freeName = async ({ people }: Accounts, { name, email }: Identity): Promise<string> => {
  const wanted = (name ?? email ?? 'New person').slice(0, 90)
  for (let number = 1; number <= mostSameNames; number++) {
    const tried = number === 1 ? wanted : `${wanted} ${number}`
    if (!(await people.named(tried))) return tried
  }
  throw new OidcFailure('invalid')
}

export interface Admission {
  readonly accounts: Accounts
  readonly archive: Archive
  readonly domains: readonly string[]
}

/** The person, who may be new. `from`: the network address. Throws OidcFailure, and UsageError for a used invitation. */
export const admit = async (
  { accounts, archive, domains }: Admission,
  { identity, invitation }: Pick<Returned, 'identity' | 'invitation'>,
  from: string,
): Promise<Person> => {
  const known = async (): Promise<Person | undefined> => {
    const link = linkSchema.safeParse(await archive.record('oidc-identity', keyOf(identity)))
    return link.success ? accounts.people.withId(link.data.person) : undefined
  }
  const joined = async (): Promise<Person> => {
    const name = await freeName(accounts, identity)
    if (invitation !== null) return accounts.accept(invitation, name, undefined, from)
    if (!domains.includes(domainOf(identity) ?? '')) throw new OidcFailure('not-invited')
    // An address that somebody here has already stays theirs: it doesn't say who this is.
    const isFree = identity.email && !(await accounts.people.named(identity.email))
    const person = await accounts.people.add({
      name,
      role: 'member',
      ...(isFree && identity.email && { email: identity.email }),
    })
    await accounts.audit.add({ who: person.id, from }, 'joined-by-domain', person.id)
    return person
  }
  const link = async (person: Person): Promise<Person> => {
    const { issuer, subject } = identity
    await archive.saveRecord(
      'oidc-identity',
      keyOf(identity),
      { person: person.id, issuer, subject },
      person.id,
    )
    return person
  }
  const person = (await known()) ?? (await link(await joined()))
  if (person.disabled) throw new OidcFailure('disabled')
  return person
}

// passkeys: Passkeys: a person adds one, and logs in with it instead of a password.

/** The address that people open the server by: a passkey is good for this host alone. */
export interface Site {
  /** `https://table.example.com` */
  readonly origin: string
  /** `table.example.com` */
  readonly host: string
}

/** Whom a passkey is made for. It may be somebody who is about to have an account. */
export interface PasskeyHolder {
  readonly id: string
  readonly name: string
}

/** Kept apart from the passkey: one that is removed while somebody logs in must not be written back. */
type PasskeyUse = {
  readonly counter: number
  readonly usedAt: number | null
}

type StoredPasskey = PasskeyUse & {
  readonly person: string
  readonly publicKey: string
  readonly transports: readonly string[]
  readonly host: string
  readonly madeAt: number
}

export interface Passkey {
  readonly id: string
  readonly host: string
  readonly madeAt: number
  readonly usedAt: number | null
}

type Challenge = { readonly holder: string | null; readonly host: string }

const problems = {
  challenge: 'This took longer than ten minutes, or was sent twice. Try again.',
  unknown: 'This server does not know that passkey. Log in another way, and add it on your account page.',
  invalid: 'The passkey could not be checked. Try again, or log in another way.',
  'no-host':
    'Passkeys need a host name. Open this server by its name, or as http://localhost on this machine.',
} as const

export class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure'

  constructor(problem: keyof typeof problems, cause?: unknown) {
    super(problems[problem], { cause })
  }
}

/** EdDSA, ES256 and RS256. The library would add one that Node still calls experimental. */
const algorithms = { supportedAlgorithmIDs: [-8, -7, -257] }

const text = z
  .string()
  .max(20_000)
  .regex(/^[\w+/=-]*$/)
const credential = { id: text, rawId: text, type: z.literal('public-key') }
const extensions = z.object({}).prefault({})

/** What a browser sends, before anything of it is decoded. */
const registrationSchema = z.object({
  ...credential,
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})
const signInSchema = z.object({
  ...credential,
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
})

const parsed = <T>(schema: z.ZodType<T>, raw: unknown): T => {
  const { data, error } = schema.safeParse(raw)
  if (error) throw new PasskeyFailure('invalid', error)
  return data as T
}

/** Browsers make no passkey for an address of digits. */
const checkHost = ({ host }: Site): void => {
  if (/^[\d.]+$|^\[|:/.test(host)) throw new PasskeyFailure('no-host')
}

export interface Passkeys {
  /** What the browser needs to make a passkey. */
  offer(holder: PasskeyHolder, site: Site): Promise<PublicKeyCredentialCreationOptionsJSON>
  /**
   * Stores the passkey that the browser made for this holder, once it is checked. `person` says whose it is from then on,
   * if the account is only made now. Throws PasskeyFailure.
   */
  add(holder: PasskeyHolder, site: Site, made: unknown, person?: () => Promise<string>): Promise<void>
  /** What the browser needs to log somebody in, whoever it is. */
  ask(site: Site): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The id of whoever logged in. Throws PasskeyFailure. */
  signIn(site: Site, signed: unknown): Promise<string>
  of(holder: string): Promise<readonly Passkey[]>
  /** False if they have no such passkey. */
  remove(holder: string, id: string): Promise<boolean>
}

export const passkeysOn = (archive: Archive, clock: () => number): Passkeys => {
  const challenges = oneUse<Challenge>(archive, 'passkey-challenge', clock)
  const stored = async (holder: string) => {
    const uses = await archive.records('passkey-use', { owner: holder })
    return (await archive.records('passkey', { owner: holder })).map(({ key, value }) => ({
      id: key,
      ...(value as StoredPasskey),
      ...(uses.find(use => use.key === key)?.value as PasskeyUse | undefined),
    }))
  }
  const known = async (id: string): Promise<StoredPasskey | undefined> => {
    const passkey = (await archive.record('passkey', id)) as StoredPasskey | undefined
    return passkey && { ...passkey, ...((await archive.record('passkey-use', id)) as PasskeyUse | undefined) }
  }
  const remove = async (id: string): Promise<boolean> => {
    const removed = await archive.removeRecord('passkey', id)
    await archive.removeRecord('passkey-use', id)
    return removed !== undefined
  }
  /** Whether we made this challenge for them and this host, and nobody has used it. */
  const takes =
    (holder: string | null, { host }: Site) =>
    async (challenge: string) => {
      const taken = await challenges.take(challenge)
      if (taken === undefined || taken === 'expired') throw new PasskeyFailure('challenge')
      return taken.holder === holder && taken.host === host
    }
  const checked = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(error => {
      throw error instanceof PasskeyFailure ? error : new PasskeyFailure('invalid', error)
    })

  return {
    async offer(holder, site) {
      checkHost(site)
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      const options = await generateRegistrationOptions({
        ...algorithms,
        rpName: 'Roundtable',
        rpID: site.host,
        userName: holder.name,
        userDisplayName: holder.name,
        userID: new TextEncoder().encode(holder.id),
        excludeCredentials: (await stored(holder.id)).map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await challenges.put({ holder: holder.id, host: site.host }, options.challenge)
      return options
    },
    async add(holder, site, made, person = async () => holder.id) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const response = parsed(registrationSchema, made)
      const { registrationInfo: info } = await checked(
        verifyRegistrationResponse({
          ...algorithms,
          response: response as RegistrationResponseJSON,
          expectedChallenge: takes(holder.id, site),
          expectedOrigin: site.origin,
          expectedRPID: site.host,
        }),
      )
      if (!info) throw new PasskeyFailure('invalid')
      const { id, publicKey, counter } = info.credential
      const owner = await person()
      const passkey: StoredPasskey = {
        person: owner,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: response.response.transports,
        host: site.host,
        madeAt: clock(),
        usedAt: null,
      }
      const kept = (await archive.addRecord('passkey', id, passkey as Json, owner)) as StoredPasskey
      if (kept.publicKey !== passkey.publicKey) throw new PasskeyFailure('invalid')
    },
    async ask(site) {
      checkHost(site)
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      const options = await generateAuthenticationOptions({ rpID: site.host, userVerification: 'required' })
      await challenges.put({ holder: null, host: site.host }, options.challenge)
      return options
    },
    async signIn(site, signed) {
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const response = parsed(signInSchema, signed)
      const passkey = await known(response.id)
      if (!passkey || passkey.host !== site.host) throw new PasskeyFailure('unknown')
      const { verified, authenticationInfo } = await checked(
        verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          expectedChallenge: takes(null, site),
          expectedOrigin: site.origin,
          expectedRPID: site.host,
          credential: {
            id: response.id,
            publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
            counter: passkey.counter,
          },
        }),
      )
      if (!verified) throw new PasskeyFailure('invalid')
      const use: PasskeyUse = { counter: authenticationInfo.newCounter, usedAt: clock() }
      await archive.saveRecord('passkey-use', response.id, use, passkey.person)
      if ((await archive.record('passkey', response.id)) !== undefined) return passkey.person
      await remove(response.id)
      throw new PasskeyFailure('unknown')
    },
    async of(holder) {
      return (await stored(holder)).map(({ id, host, madeAt, usedAt }) => ({ id, host, madeAt, usedAt }))
    },
    async remove(holder, id) {
      const own = (await stored(holder)).some(passkey => passkey.id === id)
      return own && remove(id)
    },
  }
}
