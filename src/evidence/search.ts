/** How one kind of search endpoint is asked, and how its reply is read. To add one, add it to `searchFormats`. */
import { type ModelError, UsageError } from '../core/basics.ts'
import { isWebAddress, type RawSource, type Source, sourcesFrom } from '../core/question.ts'
import { type Environment, variable } from '../models/endpoints.ts'
import {
  collect,
  type HttpRequest,
  networkError,
  presentable,
  problemFrom,
  secretsFrom,
  statusError,
} from '../models/http.ts'
import { dearestSearch, endpointFees } from '../models/provider.ts'

export interface SearchFormat {
  /** The name in `ROUNDTABLE_SEARCH`. */
  readonly id: string
  readonly label: string
  /** The service's own address. Absent: everybody has their own. */
  readonly home?: string
  request(base: string, query: string, key: string | undefined): HttpRequest
  /** What the reply lists, as it says it. Undefined: it isn't a reply of this format. */
  results(reply: Readonly<Record<string, unknown>>): readonly RawSource[] | undefined
}

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The records of a list. Undefined if it isn't one. */
export const recordsIn = (list: unknown): readonly Fields[] | undefined =>
  Array.isArray(list) ? list.slice(0, 100).filter(isFields) : undefined

/** The address with a path and parameters; parameters of the person's own stay. */
export const searchAddress = (
  base: string,
  path: string,
  parameters: Readonly<Record<string, string>>,
): URL => {
  const url = new URL(base)
  if (!url.pathname.endsWith(path)) url.pathname = url.pathname.replace(/\/*$/, path)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

// brave: Brave's search API.

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** Brave writes its excerpts for a web page. */
const plainText = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .slice(0, 10_000)
        .replace(/<\/?(?:strong|b|em)>/g, '')
        .replace(/&(?:amp|lt|gt|quot|#x27|#39|nbsp);/g, entity => entities[entity] ?? entity)
    : value

/** It takes no longer queries. */
const mostWords = 50

export const brave: SearchFormat = {
  id: 'brave',
  label: 'Brave Search',
  home: 'https://api.search.brave.com/res/v1/web/search',
  request: (base, query, key = '') => ({
    method: 'GET',
    url: searchAddress(base, '/res/v1/web/search', {
      q: query.split(' ').slice(0, mostWords).join(' '),
      count: '10',
      text_decorations: 'false',
      extra_snippets: 'true',
    }),
    headers: { accept: 'application/json', 'x-subscription-token': key },
  }),
  results: ({ web, type }) => {
    // A search without a result has no part for web pages.
    if (web === undefined && type === 'search') return []
    return recordsIn(isFields(web) ? web.results : undefined)?.map(
      ({ url, title, description, extra_snippets: more, page_age: age }) => ({
        address: url,
        title: plainText(title),
        date: age,
        quotes: [description, ...(Array.isArray(more) ? more.slice(0, 10) : [])].map(plainText),
      }),
    )
  },
}

// searxng: SearXNG, a search server of the person's own. Its settings must allow the format `json`.

export const searxng: SearchFormat = {
  id: 'searxng',
  label: 'SearXNG',
  request: (base, query, key) => ({
    method: 'GET',
    url: searchAddress(base, '/search', { q: query, format: 'json' }),
    headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
  }),
  results: ({ results }) =>
    recordsIn(results)?.map(({ url, title, content, publishedDate }) => ({
      address: url,
      title,
      date: publishedDate,
      quotes: [content],
    })),
}

// tavily: Tavily's search API.

/** It puts several passages of a page into one text. */
const passages = (content: unknown): unknown[] =>
  typeof content === 'string' ? content.slice(0, 20_000).split(/ ?\[\.\.\.\] ?/) : []

export const tavily: SearchFormat = {
  id: 'tavily',
  label: 'Tavily',
  home: 'https://api.tavily.com',
  request: (base, query, key = '') => ({
    method: 'POST',
    url: searchAddress(base, '/search', {}),
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ query, max_results: 10, search_depth: 'basic' }),
  }),
  results: ({ results }) =>
    recordsIn(results)?.map(({ url, title, content, published_date: date }) => ({
      address: url,
      title,
      date,
      quotes: passages(content),
    })),
}

// search: Search endpoints of the person's own: `searxng=http://127.0.0.1:8888`, `brave` or `tavily`.

export const searchFormats: readonly SearchFormat[] = [searxng, brave, tavily]

export interface SearchSettings {
  /** `searxng`, `brave` or `tavily`. */
  readonly format: string
  /** Absent: the service's own. */
  readonly baseURL?: string
  readonly key?: string
}

export type Searched = { readonly sources: readonly Source[] } | { readonly error: ModelError }

/** One search. Never throws: a failure is a value with the endpoint's own words. */
export interface Searcher {
  readonly label: string
  /** Dollars for one search. */
  readonly fee: number
  search(query: string, signal: AbortSignal): Promise<Searched>
}

const largestReply = 2_000_000
const longestWait = 15_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sourcesIn = (text: string, { label, results }: SearchFormat, secrets: readonly string[]): Searched => {
  const reply = parsed(text)
  const found = isFields(reply) ? results(reply) : undefined
  if (found) return { sources: sourcesFrom(found) }
  const words = `the reply isn't one of ${label}: ${problemFrom(text).words}`
  return { error: { kind: 'server-error', message: presentable(words, secrets) } }
}

const searcherOf = (format: SearchFormat, base: string, key: string | undefined): Searcher => {
  const secrets = secretsFrom([key])
  return {
    label: format.label,
    fee: endpointFees[format.id] ?? dearestSearch,
    async search(query, signal) {
      const request = format.request(base, query, key)
      const either = AbortSignal.any([signal, AbortSignal.timeout(longestWait)])
      const reply = await collect(request, either, largestReply)
      if (signal.aborted)
        return { error: { kind: 'cancelled', message: 'stopped before the search was done' } }
      if ('failure' in reply) return { error: networkError(reply.failure, request.url, false, secrets) }
      const { status, headers, text } = reply
      return status >= 200 && status < 300
        ? sourcesIn(text, format, secrets)
        : { error: statusError(status, headers, problemFrom(text), secrets) }
    },
  }
}

/** Throws UsageError. The message doesn't repeat the address: what is in the wrong place may be a key. */
export const searcherFrom = ({ format: id, baseURL, key }: SearchSettings): Searcher => {
  const format = searchFormats.find(one => one.id === id)
  if (!format)
    throw new UsageError(`A search endpoint is one of ${searchFormats.map(one => one.id).join(', ')}.`)
  const base = baseURL ?? format.home
  if (base === undefined || !isWebAddress(base))
    throw new UsageError(
      `${format.label} needs an address that begins with http:// or https://, without a user name, as in ${id}=http://127.0.0.1:8888.`,
    )
  return searcherOf(format, base, key)
}

export const searchVariable = 'ROUNDTABLE_SEARCH'
export const searchKeyVariable = 'ROUNDTABLE_SEARCH_KEY'

/** The search endpoint that the environment names. Undefined: none. */
export const searcherIn = (env: Environment): Searcher | undefined => {
  const text = variable(env, searchVariable)
  if (text === undefined) return undefined
  const sign = text.indexOf('=')
  const format = (sign < 0 ? text : text.slice(0, sign)).trim().toLowerCase()
  const key = variable(env, searchKeyVariable)
  return searcherFrom({
    format,
    ...(sign >= 0 && { baseURL: text.slice(sign + 1).trim() }),
    ...(key && { key }),
  })
}
