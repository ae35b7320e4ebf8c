/**
 * Connections to public addresses only. The name is resolved once, every address is checked, and the connection goes to
 * what was checked: a name whose addresses change in between gains nothing.
 */
import { lookup as resolve } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { isPublicAddress } from './public-address.ts'

/** How names are resolved, and which addresses may be connected to. Tests on this machine give others. */
export interface AddressRules {
  resolve(name: string): Promise<readonly { readonly address: string; readonly family: number }[]>
  allows(address: string): boolean
}

export const usualRules: AddressRules = {
  resolve: name => resolve(name, { all: true, verbatim: true }),
  allows: isPublicAddress,
}

/** An address of this machine or its network. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic'
  constructor() {
    super('it is not at a public address')
  }
}

const longestName = 253

/** What `net.connect` asks for the addresses of a name. All of them must be allowed. */
const checkedLookup =
  ({ resolve, allows }: AddressRules): LookupFunction =>
  (name, { all }, callback) => {
    const fail = (error: Error): void => callback(error, '', 0)
    if (name.length > longestName) return fail(new NotPublic())
    resolve(name).then(found => {
      const [first] = found
      if (!first || found.some(({ address }) => !allows(address))) return fail(new NotPublic())
      if (all) callback(null, [...found])
      else callback(null, first.address, first.family)
    }, fail)
  }

/** A host that is an address itself is never looked up, so it is checked here. Throws NotPublic. */
export const checkHost = ({ hostname }: URL, { allows }: AddressRules): void => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !allows(bare)) throw new NotPublic()
}

/** For calls of models, which may take minutes. Redirects aren't followed. */
export const guardedDispatcher = (rules: AddressRules = usualRules): Dispatcher => {
  const agent = new Agent({
    connect: { lookup: checkedLookup(rules), timeout: 10_000 },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  })
  return agent.compose(dispatch => (options, handler) => {
    checkHost(new URL(String(options.origin)), rules)
    return dispatch(options, handler)
  })
}

/** For endpoints of people who may not reach the server's own network. Undefined: they may, so nothing is checked. */
export const dispatcherFor = (privateToo = false): Dispatcher | undefined =>
  privateToo ? undefined : guardedDispatcher()

/** For one page: nothing of it is kept open for the next. */
export const guardedAgent = (rules: AddressRules): Agent =>
  new Agent({
    connect: { lookup: checkedLookup(rules), timeout: 5_000 },
    keepAliveTimeout: 1_000,
    maxHeaderSize: 16_384,
  })
