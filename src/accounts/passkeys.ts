/** Passkeys: a person adds one, and logs in with it instead of a password. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Archive, Json } from '../store/archive/archive.ts'
import { oneUse } from './one-use.ts'

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
