/** Which addresses of the network a page may be fetched from: public ones only, whatever name leads there. */

import { lookup as resolve } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import robotsParser from 'robots-parser'
import { Agent, type Dispatcher, fetch, type Response } from 'undici'
import type { PageRead } from '../core/question.ts'
import { joined, plain, type ReaderName, readDocument, Unreadable } from './files.ts'

/** A public address by its range, at which the host of every Azure machine answers. */
const hostOfAzure = '168.63.129.16'

/** Ranges such as `private`, `linkLocal`, `carrierGradeNat`, `ipv4Mapped` or `rfc6052` (NAT64) all lead back inside. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return parsed.toString() !== hostOfAzure
  // All public addresses of IPv6 are in 2000::/3. What else a library doesn't know is refused.
  return ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000
}

// guardedAgent: Connections to public addresses only. The name is resolved once, every address is checked, and the connection goes to
// what was checked: a name whose addresses change in between gains nothing.

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

// guardedGet: Gets one page of the web, guarded: its address is checked at every redirect, and its size and time are limited.

/** Why a page couldn't be read, for whoever cited it: "the server replied 404". */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export const mostRedirects = 5
export const largestPage = 2_000_000
export const userAgent = 'Roundtable'

export interface GotPage {
  readonly address: URL
  readonly status: number
  readonly type: string
  readonly bytes: Uint8Array
}

export interface Getting {
  readonly agent: Agent
  readonly rules: AddressRules
  readonly signal: AbortSignal
  readonly largest?: number
  readonly accept?: string
}

const webURL = (address: string, base?: URL): URL => {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Unreachable('it is not a web address')
  if (url.username !== '' || url.password !== '') throw new Unreachable('its address has a user name')
  url.hash = ''
  return url
}

const wordsFor = (error: unknown): string => {
  if (error instanceof NotPublic) return error.message
  const { cause, name, code } = error as { cause?: unknown; name?: string; code?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'it did not arrive in time'
  if (cause instanceof AggregateError) return wordsFor(cause.errors[0])
  if (cause instanceof Error) return wordsFor(cause)
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/** At most so many bytes, counted after decompression: a small reply can become huge. */
const bytesOf = async (response: Response, largest: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > largest) throw new Unreachable(`it is larger than ${largest / 1_000_000} MB`)
    chunks.push(chunk as Uint8Array)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Without cookies, keys or a name of who asks. A redirect is followed by us, because its address has to be checked too. */
const request = async (url: URL, { agent, rules, signal, accept }: Getting): Promise<Response> => {
  checkHost(url, rules)
  return fetch(url, {
    dispatcher: agent,
    signal,
    redirect: 'manual',
    credentials: 'omit',
    headers: { 'user-agent': userAgent, ...(accept && { accept }) },
  })
}

/** `allowed` is asked for every address on the way. Throws Unreachable with the reason. */
export const guardedGet = async (
  address: string,
  getting: Getting,
  allowed: (url: URL) => Promise<boolean> = async () => true,
): Promise<GotPage> => {
  let url = webURL(address)
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      if (!(await allowed(url))) throw new Unreachable('its robots.txt asks not to be read by programs')
      const response = await request(url, getting)
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel()
        url = webURL(location, url)
        continue
      }
      const bytes = await bytesOf(response, getting.largest ?? largestPage)
      const type = response.headers.get('content-type') ?? ''
      return { address: url, status: response.status, type, bytes }
    }
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(wordsFor(error))
  }
  throw new Unreachable(`it redirects more than ${mostRedirects} times`)
}

// robots: What a site asks of programs in its robots.txt.

/** The package's types say that the function is in a field, and it isn't. */
const parse = robotsParser as unknown as typeof import('robots-parser').default

/** Each rule is compared with each part of the path, so all of it is bounded. */
const largestRobots = 200_000
const longestRule = 1_000
const longestPath = 1_000

const rulesIn = (bytes: Uint8Array): string =>
  new TextDecoder()
    .decode(bytes)
    .split(/\r\n|\r|\n/)
    .filter(line => line.length <= longestRule)
    .join('\n')

/** Whether the rules allow a program to read the address. */
export const allowsReading = (robots: URL, rules: Uint8Array, url: URL): boolean =>
  parse(robots.href, rulesIn(rules)).isAllowed(url.href, userAgent) ?? true

/** By RFC 9309, a site without the file allows everything, and one whose file can't be had allows nothing. */
export const robotsOf =
  (getting: Getting): ((url: URL) => Promise<boolean>) =>
  async url => {
    if (url.pathname.length + url.search.length > longestPath)
      throw new Unreachable('its address is too long')
    const robots = new URL('/robots.txt', url)
    const { status, bytes } = await guardedGet(robots.href, { ...getting, largest: largestRobots })
    if (status >= 500) throw new Unreachable(`the server replied ${status} for its robots.txt`)
    return status >= 400 || allowsReading(robots, bytes, url)
  }

// readPage: The text of a web page that an answer cites, fetched with a guard and read like an attached file.

export interface PageOptions {
  readonly signal?: AbortSignal
  /** For tests on this machine. No setting changes it. */
  readonly rules?: AddressRules
  readonly seconds?: number
  /** For whom: pages take turns with everybody's files. */
  readonly from?: string
}

const usualSeconds = 10

const readers: Readonly<Record<string, ReaderName>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'plain',
  'application/pdf': 'pdf',
}

/** Readers take UTF-8. */
const asUtf8 = (bytes: Uint8Array, type: string): Uint8Array => {
  const charset = (/charset\s*=\s*"?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8').toLowerCase()
  for (const label of [charset, 'windows-1252'])
    try {
      return new TextEncoder().encode(new TextDecoder(label, { fatal: label === 'utf-8' }).decode(bytes))
    } catch {}
  return bytes
}

const textOf = async (
  { type, bytes, status }: GotPage,
  options: Pick<PageOptions, 'seconds' | 'from'>,
): Promise<PageRead> => {
  if (status < 200 || status >= 300) throw new Unreachable(`the server replied ${status}`)
  const media = type.split(';')[0]!.trim().toLowerCase()
  const reader = readers[media]
  if (!reader) throw new Unreachable('it is neither HTML, nor text, nor PDF')
  const readable = reader === 'pdf' ? bytes : asUtf8(bytes, type)
  const read =
    reader === 'plain'
      ? joined(await plain(readable))
      : await readDocument({ reader, bytes: readable }, options)
  return { ...read, media }
}

/** Never throws: a page that can't be had is a value with the reason. */
export const readPage = async (address: string, options: PageOptions = {}): Promise<PageRead> => {
  const { signal, rules = usualRules, seconds = usualSeconds } = options
  const timeout = AbortSignal.timeout(seconds * 1_000)
  const agent = guardedAgent(rules)
  const getting = { agent, rules, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }
  try {
    const accept = Object.keys(readers).join(', ')
    const page = await guardedGet(address, { ...getting, accept }, robotsOf(getting))
    return await textOf(page, { seconds, ...(options.from !== undefined && { from: options.from }) })
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Unreadable) return { unreachable: error.message }
    return { unreachable: 'it could not be read' }
  } finally {
    void agent.destroy()
  }
}
