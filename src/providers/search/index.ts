/** Search endpoints of the person's own: `searxng=http://127.0.0.1:8888`, `brave` or `tavily`. */
import { type ModelError, UsageError } from '../../core/errors.ts'
import { isWebAddress, type Source, sourcesFrom } from '../../core/question/source.ts'
import { type Environment, variable } from '../endpoints.ts'
import { collect } from '../http/exchange.ts'
import { statusError } from '../http/http-errors.ts'
import { networkError } from '../http/network-errors.ts'
import { presentable, problemFrom } from '../http/problem.ts'
import { secretsFrom } from '../http/redact.ts'
import { brave } from './brave.ts'
import { dearestSearch, endpointFees } from './fees.ts'
import { isFields, type SearchFormat } from './search-format.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'

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
