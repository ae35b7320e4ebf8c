/** How one kind of search endpoint is asked, and how its reply is read. To add one, write a file, and a line in `index.ts`. */
import type { RawSource } from '../../core/question/source.ts'
import type { HttpRequest } from '../http/exchange.ts'

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
