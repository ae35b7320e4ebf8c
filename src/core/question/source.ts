/** Sources: web pages that answers may rely on. What a search says of them is a stranger's text, so all of it is bounded. */
import { z } from 'zod'
import { longestName, boundedName as name } from '../log/bounds.ts'

/** Off: nobody searches. Shared: one search for all seats. Native: each seat with its maker's own tool. */
export const searchModes = ['off', 'shared', 'native'] as const
export type SearchMode = (typeof searchModes)[number]

export const mostSources = 10
const mostQuotes = 4
const longestQuote = 600
const longestTitle = 300
/** Pages that one answer may name as found. */
export const mostFound = 40

/** http or https, without a name and a password. Anything else must never become a link, nor be fetched. */
export const isWebAddress = (address: string): boolean => {
  if (address.length > longestName || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

const address = z
  .string()
  .max(longestName)
  .refine(isWebAddress, 'An address begins with http:// or https://.')

export const sourceSchema = z.object({
  address,
  title: name,
  /** As the search gives it. Absent: unknown. */
  date: name.optional(),
  quotes: z.array(z.string().max(longestQuote)).max(mostQuotes).readonly(),
  /** Why nobody could look up whether the quotes, which a model wrote, are in the page. */
  unchecked: name.optional(),
})
export type Source = z.infer<typeof sourceSchema>

/** A page that a seat's own search reports. */
export const foundPageSchema = z.object({ address, title: name.optional() })
export type FoundPage = z.infer<typeof foundPageSchema>

/** On one line, without characters that change how a line is shown, and cut before anything else reads it. */
const line = (value: unknown, longest: number): string =>
  typeof value === 'string'
    ? value
        .slice(0, 4 * longest)
        .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, longest)
    : ''

const addressIn = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : ''
  return isWebAddress(text) ? new URL(text).href.slice(0, longestName) : undefined
}

/** A source as a search or a model tells it, before it is checked. */
export interface RawSource {
  readonly address?: unknown
  readonly title?: unknown
  readonly date?: unknown
  readonly quotes?: unknown
}

const sourceFrom = (raw: RawSource): Source[] => {
  const found = addressIn(raw.address)
  if (found === undefined) return []
  const quotes = (Array.isArray(raw.quotes) ? raw.quotes : [])
    .slice(0, mostQuotes)
    .map(one => line(one, longestQuote))
    .filter(quote => quote !== '')
  const date = line(raw.date, 40)
  return [
    {
      address: found,
      title: line(raw.title, longestTitle) || new URL(found).hostname,
      ...(date !== '' && { date }),
      quotes,
    },
  ]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The first ten sources with an address, each once. */
export const sourcesFrom = (raw: unknown): Source[] => {
  const byAddress = new Map<string, Source>()
  for (const one of (Array.isArray(raw) ? raw : [])
    .slice(0, 10 * mostSources)
    .filter(isRecord)
    .flatMap(sourceFrom))
    if (!byAddress.has(one.address)) byAddress.set(one.address, one)
  return [...byAddress.values()].slice(0, mostSources)
}

/** The pages that a stream reports, each once. */
export const foundPages = (
  raw: readonly { readonly address: string; readonly title?: string }[],
): FoundPage[] => {
  const pages = new Map<string, FoundPage>()
  for (const one of raw) {
    const found = addressIn(one.address)
    if (found === undefined || pages.has(found) || pages.size >= mostFound) continue
    const title = line(one.title, longestTitle)
    pages.set(found, { address: found, ...(title !== '' && { title }) })
  }
  return [...pages.values()]
}

const longestQuery = 400

/** The question and nothing else, as one line that every search takes. */
export const queryFor = (question: string): string => {
  const whole = question
    .slice(0, 10 * longestQuery)
    .replace(/\s+/g, ' ')
    .trim()
  if (whole.length <= longestQuery) return whole
  const cut = whole.slice(0, longestQuery + 1)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longestQuery / 2)).slice(0, longestQuery)
}
