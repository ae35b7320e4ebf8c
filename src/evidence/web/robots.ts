/** What a site asks of programs in its robots.txt. */
import robotsParser from 'robots-parser'
import { type Getting, guardedGet, Unreachable, userAgent } from './guarded-get.ts'

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
