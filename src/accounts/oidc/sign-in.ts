/** Logging in with the provider, from the button to the person: each flow is one browser's, and good once. */
import type { Archive } from '../../store/archive/archive.ts'
import { oneUse } from '../one-use.ts'
import { OidcFailure } from './failure.ts'
import type { Identity, OidcChecks, OidcProvider } from './provider.ts'

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
