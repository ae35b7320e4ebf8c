/** The text of a web page that an answer cites, fetched with a guard and read like an attached file. */
import type { PageRead } from '../../core/question/citation.ts'
import { joined } from '../index.ts'
import type { ReaderName } from '../kinds.ts'
import { readInThread } from '../read-in-thread.ts'
import { Unreadable } from '../reader.ts'
import { plain } from '../readers/plain.ts'
import { type AddressRules, guardedAgent, usualRules } from './guarded-agent.ts'
import { type GotPage, guardedGet, Unreachable } from './guarded-get.ts'
import { robotsOf } from './robots.ts'

export interface PageOptions {
  readonly signal?: AbortSignal
  /** For tests on this machine. No setting changes it. */
  readonly rules?: AddressRules
  readonly seconds?: number
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

const textOf = async ({ type, bytes, status }: GotPage, seconds: number): Promise<PageRead> => {
  if (status < 200 || status >= 300) throw new Unreachable(`the server replied ${status}`)
  const media = type.split(';')[0]!.trim().toLowerCase()
  const reader = readers[media]
  if (!reader) throw new Unreachable('it is neither HTML, nor text, nor PDF')
  const readable = reader === 'pdf' ? bytes : asUtf8(bytes, type)
  const parts =
    reader === 'plain'
      ? await plain(readable)
      : await readInThread({ reader, bytes: readable }, { seconds, megabytes: 256 })
  return { ...joined(parts), media }
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
    return await textOf(page, seconds)
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Unreadable) return { unreachable: error.message }
    return { unreachable: 'it could not be read' }
  } finally {
    void agent.destroy()
  }
}
