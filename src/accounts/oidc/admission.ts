/** Who may come in with a provider's account: whoever is known by it, is invited, or belongs to a domain of the team's. */
import { z } from 'zod'
import type { Archive } from '../../store/archive/archive.ts'
import type { Accounts } from '../accounts.ts'
import type { Person } from '../person.ts'
import { secretHash } from '../secrets.ts'
import { OidcFailure } from './failure.ts'
import type { Identity } from './provider.ts'
import type { Returned } from './sign-in.ts'

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
