/** Gets one page of the web, guarded: its address is checked at every redirect, and its size and time are limited. */
import { type Agent, fetch, type Response } from 'undici'
import { type AddressRules, checkHost, NotPublic } from './guarded-agent.ts'

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
