/** How large a reply may be. A small compressed reply can grow a thousandfold, so bytes are counted after that. */

import { STATUS_CODES } from 'node:http'
import { createRequire } from 'node:module'
import type { Dispatcher } from 'undici'
import { literal, type ModelError, type ModelErrorKind } from '../core/basics.ts'
import type { Shape } from '../core/form.ts'
import type { ModelCall, ModelPart, TextType } from './provider.ts'

/** A server that ignores the token limit must not fill the memory. No token needs more bytes than this. */
export const mostReplyBytes = ({ maxOutputTokens }: Pick<ModelCall, 'maxOutputTokens'>): number =>
  1_048_576 + maxOutputTokens * 2_048

/** Longer ones are pages, not messages. */
export const mostErrorBytes = 65_536

/** The longest known list of models has about one megabyte. */
export const mostListBytes = 8_000_000

export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge'

  constructor(bytes: number) {
    super(`the reply is larger than ${bytes} bytes`)
  }
}

/** The same response, but its body ends after so many bytes: quietly, or with the error that `tooLarge` returns. */
export const limitedTo = (most: number, response: Response, tooLarge?: () => Error): Response => {
  const { body, status, statusText, headers } = response
  if (!body) return response
  const reader = body.getReader()
  let bytes = 0
  const limited = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytes += value.length
        if (bytes <= most) return controller.enqueue(value)
        await reader.cancel().catch(() => {})
        if (tooLarge) controller.error(tooLarge())
        else controller.close()
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(limited, { status, statusText, headers })
}

// Packages that are loaded by the first request, so that commands without a request start faster. They are loaded with `require`,
// because an import would be asynchronous and the callers aren't.

const require = createRequire(import.meta.url)

export const lazily = <T>(load: () => T): (() => T) => {
  let loaded: T | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export const undici = lazily((): typeof import('undici') => require('undici'))

/** Has no timeout for a reply, because some models take minutes. The caller's signal ends the wait. */
export const agent = lazily(
  () => new (undici().Agent)({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } }),
)

// exchange: One HTTP request whose reply arrives piece by piece, with as little overhead as possible.

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How the connection is made; in the usual way if left out. */
  readonly through?: Dispatcher | undefined
}

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Is called as a reply arrives. Nothing follows `end` or `fail`, and nothing at all follows a cancellation. */
export interface Receiver {
  start(status: number, headers: HttpHeaders): void
  data(chunk: Buffer): void
  end(): void
  fail(error: Error): void
}

export interface Exchange {
  /** Closes the connection at once. */
  cancel(): void
  /** The reply is complete, but the server hasn't ended it yet: the connection is kept if it soon does. */
  release(): void
}

/** How long a server may take to end a complete reply. */
const lingerMs = 1_000

class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export const send = (request: HttpRequest, receiver: Receiver): Exchange => {
  let controller: Dispatcher.DispatchController | undefined
  let lingering: NodeJS.Timeout | undefined
  let over = false
  const cancel = (): void => {
    over = true
    clearTimeout(lingering)
    controller?.abort(new Cancelled())
  }
  const fail = (error: Error): void => {
    clearTimeout(lingering)
    if (over) return
    over = true
    receiver.fail(error)
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (over) started.abort(new Cancelled())
    },
    onResponseStart(_controller, status, headers) {
      if (!over && status >= 200) receiver.start(status, headers)
    },
    onResponseData(_controller, chunk) {
      if (!over) receiver.data(chunk)
    },
    onResponseEnd() {
      clearTimeout(lingering)
      if (over) return
      over = true
      receiver.end()
    },
    onResponseError: (_controller, error) => fail(error),
  }
  const { method, url, headers, body, through = agent() } = request
  try {
    through.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, handler)
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)))
  }
  return {
    cancel,
    release() {
      if (over) return
      over = true
      lingering = setTimeout(cancel, lingerMs).unref()
    },
  }
}

export type Collected =
  | { readonly status: number; readonly headers: HttpHeaders; readonly text: string }
  | { readonly failure: Error }

/** The whole of a reply of at most so many bytes. Never rejects; an aborted request is a failure like any other. */
export const collect = (request: HttpRequest, signal: AbortSignal, most: number): Promise<Collected> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    let status = 0
    let headers: HttpHeaders = {}
    const settle = (result: Collected): void => {
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    const giveUp = (failure: Error): void => {
      exchange.cancel()
      settle({ failure })
    }
    const abort = (): void => giveUp(new Error('no reply in time'))
    const exchange = send(request, {
      start(code, received) {
        status = code
        headers = received
      },
      data(chunk) {
        bytes += chunk.length
        if (bytes > most) giveUp(new ReplyTooLarge(most))
        else chunks.push(chunk)
      },
      end: () => settle({ status, headers, text: Buffer.concat(chunks).toString('utf8') }),
      fail: failure => settle({ failure }),
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })

// pageText: The text of an error page, read in one pass: a page of nothing but `<` must not take longer than any other.

/** Sections whose text nobody reads, except for the title of a page. */
const hidden = ['script', 'style', 'head']

const entities: readonly (readonly [string, string])[] = [
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]

/** The name of the tag that a piece begins with, with its slash. */
const tagOf = (piece: string): string => /^\/?[a-z]+/i.exec(piece.slice(0, 20))?.[0].toLowerCase() ?? ''

export const pageText = (html: string): string => {
  const [before = '', ...pieces] = html.split('<')
  const tags = pieces.map(tagOf)
  const lastEnd = new Map(tags.map((tag, index) => [tag, index]))
  const lastBracket = pieces.findLastIndex(piece => piece.includes('>'))
  let section: string | undefined
  let inTag = false
  let text = before
  for (const [index, piece] of pieces.entries()) {
    const tag = tags[index]!
    const isEnd = section !== undefined && tag === `/${section}`
    if (isEnd) section = undefined
    else if (
      section === undefined &&
      !inTag &&
      hidden.includes(tag) &&
      (lastEnd.get(`/${tag}`) ?? -1) > index
    )
      section = tag
    // Without a bracket behind it, it isn't a tag.
    if (index > lastBracket) text += `<${piece}`
    const end = piece.indexOf('>')
    inTag = end < 0
    if (!inTag && (section === undefined || tag === 'title')) text += ` ${piece.slice(end + 1)}`
  }
  return entities.reduce((clean, [entity, character]) => clean.replaceAll(entity, character), text)
}

// redact: Removes keys from everything that a provider says, before anybody sees it.

const mark = '[key]'

/** Placeholders for a key aren't secret: removing them, or short values, would remove ordinary words. */
const placeholders = /^(?:none|null|empty|dummy|local|ollama|lm-studio|no-?key(?:-required)?|not-needed)$/i
const shortestSecret = 6

export const secretsFrom = (values: readonly (string | undefined)[]): readonly string[] => {
  const secrets = new Set<string>()
  for (const value of values) {
    if (value !== undefined && value.length >= shortestSecret && !placeholders.test(value)) secrets.add(value)
  }
  return [...secrets].sort((one, other) => other.length - one.length)
}

/** In capitals a key is still a key: some servers shout what they were sent. */
const without = (text: string, secrets: readonly string[]): string =>
  secrets.length === 0 ? text : text.replace(new RegExp(secrets.map(literal).join('|'), 'gi'), mark)

/**
 * The patterns start only where a word or a row of stars starts, or they would take time that grows with the square.
 *
 * An error's words without any secret, without anything that looks like a credential in a header, and
 * without the ends of a masked key that makers still show: `sk-p***aB`, `****aB3d`.
 */
export const redacted = (text: string, secrets: readonly string[]): string =>
  without(text, secrets)
    .replace(/(?<![\w-])[\w-]+\*{3,}[\w-]*|(?<!\*)\*{3,}[\w-]+/g, mark)
    .replace(/\b(Bearer|Basic)\s+(?!\[key\])[\w.~+/=-]{6,}/gi, `$1 ${mark}`)
    .replace(
      /\b(authorization|api-key|x-api-key)(["']?\s*[:=]\s*["']?)(?!\[key\]|bearer|basic)[^\s"',}]{6,}/gi,
      `$1$2${mark}`,
    )

type SourcePart = ModelPart & { type: 'source' }

/** A page that a search reports. Without its key an address would be another one, so such a page is left out. */
export const cleanSource = ({ address, title }: SourcePart, secrets: readonly string[]): SourcePart[] => {
  if (without(address, secrets) !== address) return []
  return [{ type: 'source', address, ...(title !== undefined && { title: without(title, secrets) }) }]
}

/** How many characters at the end of the text could be the start of a secret. */
const openEnd = (text: string, secrets: readonly string[]): number => {
  let longest = 0
  for (const secret of secrets) {
    let from = text.indexOf(secret[0]!, Math.max(0, text.length - secret.length + 1))
    while (from >= 0 && text.length - from > longest) {
      if (secret.startsWith(text.slice(from))) longest = text.length - from
      from = text.indexOf(secret[0]!, from + 1)
    }
  }
  return longest
}

export type WriteText = (type: TextType, text: string) => void

export interface TextWriter {
  readonly write: WriteText
  /** Writes what was held back. */
  readonly flush: () => void
}

/** Removes secrets from a stream of text, even if a secret arrives in several pieces. */
export const redactedWriter = (secrets: readonly string[], write: WriteText): TextWriter => {
  if (secrets.length === 0) return { write, flush() {} }
  let held = ''
  let heldType: TextType = 'text'
  const flush = (): void => {
    if (held !== '') write(heldType, held)
    held = ''
  }
  return {
    flush,
    write(type, text) {
      if (text === '') return
      if (type !== heldType) flush()
      heldType = type
      const clean = without(held + text, secrets)
      const end = clean.length - openEnd(clean, secrets)
      held = clean.slice(end)
      if (end > 0) write(type, clean.slice(0, end))
    },
  }
}

// problem: Reads what a server says went wrong, in any of the formats that servers use.

const longestMessage = 500
/** More words of a server aren't read: what went wrong stands at the beginning. */
const longestWords = 8_192

export interface ProviderProblem {
  /** The server's own words, or '' if it had none. */
  readonly words: string
  /** Its codes and types in lower case, as one text. */
  readonly code: string
  /** The field of the request that it complains about, if it names one. */
  readonly field?: string
  /** A status inside the body: gateways report the maker's status there. */
  readonly status?: number
  /** How long the body asks us to wait. */
  readonly retryAfterMs?: number
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Thousands of nested lists can be parsed, but not written again: the stack overflows. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return 'its words are nested too deeply'
  }
}

const stringOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return value === undefined || value === null ? undefined : jsonOf(value)
}

interface Details {
  readonly codes: readonly string[]
  readonly retryAfterMs?: number
}

/** Google sends a list of typed details, such as the reason, the quota, or how long to wait. */
const detailsIn = (details: unknown): Details => {
  const facts = Array.isArray(details) ? details.filter(isRecord) : []
  const violations = facts.flatMap(({ violations }) =>
    Array.isArray(violations) ? violations.filter(isRecord) : [],
  )
  const codes = [...facts.map(({ reason }) => reason), ...violations.map(({ quotaId }) => quotaId)]
  const delay = facts.map(({ retryDelay }) => Number.parseFloat(String(retryDelay))).find(wait => wait >= 0)
  return {
    codes: codes.filter(code => typeof code === 'string'),
    ...(delay !== undefined && { retryAfterMs: delay * 1_000 }),
  }
}

/** "Please try again in 1m7.5s" */
const waitIn = (words: string): number | undefined => {
  const said = /try again (?:in|after) (?:(\d+)m(?=\d))?(\d+(?:\.\d+)?) ?(ms|s)/i.exec(words)
  if (!said) return undefined
  const [, minutes = '0', count = '0', unit] = said
  return Number(minutes) * 60_000 + Math.ceil(Number(count) * (unit === 'ms' ? 1 : 1_000))
}

/** `{error: {…}}`, `{error: "…"}`, `{detail: …}`, `{message: …}`, or the inside of one of these. */
const wholeProblemIn = (value: unknown): ProviderProblem => {
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(body)) return { words: stringOf(body) ?? '', code: '' }
  const error = body.error ?? body
  if (!isRecord(error))
    return { words: stringOf(error) ?? '', code: stringOf(body.code)?.toLowerCase() ?? '' }
  const metadata = isRecord(error.metadata) ? stringOf(error.metadata.raw) : undefined
  const words = [stringOf(error.message) ?? stringOf(error.detail) ?? stringOf(body.message), metadata]
  const { codes, retryAfterMs = waitIn(String(words[0])) } = detailsIn(error.details)
  const status = Number(error.code ?? error.status)
  return {
    words: words.filter(one => one !== undefined).join(': ') || (error === body ? '' : jsonOf(error)),
    code: [error.code, error.type, error.status, ...codes]
      .filter(one => typeof one === 'string')
      .join(' ')
      .toLowerCase(),
    ...(typeof error.param === 'string' && { field: error.param }),
    ...(status >= 400 && status < 600 && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

const shortened = (problem: ProviderProblem): ProviderProblem => ({
  ...problem,
  words: problem.words.slice(0, longestWords),
  code: problem.code.slice(0, longestWords),
})

export const problemIn = (value: unknown): ProviderProblem => shortened(wholeProblemIn(value))

export const problemFrom = (text: string): ProviderProblem => {
  const json = parsed(text)
  if (json !== undefined) return problemIn(json)
  return shortened({ words: /^\s*</.test(text) ? pageText(text) : text, code: '' })
}

/** Makes a message safe to show: no keys, one line, limited length. */
export const presentable = (words: string, secrets: readonly string[]): string => {
  const line = redacted(words, secrets).replace(/\s+/g, ' ').trim()
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line
}

// httpErrors: Decides which kind of failure a status and a server's words mean.

/**
 * The first match decides. Codes are checked before words, and words before the status.
 * Codes with four digits are Z.ai's.
 */
const rules: readonly {
  readonly kind: ModelErrorKind
  readonly status?: readonly number[]
  readonly code?: RegExp
  readonly words?: RegExp
  /** Codes that cover several cases: they are checked after the words and before the status. */
  readonly vague?: RegExp
}[] = [
  {
    kind: 'no-credit',
    status: [402],
    // A daily quota counts as no credit: waiting a minute doesn't help.
    code: /insufficient_quota|insufficient_balance|billing|payment_required|perday|exceeded_current_quota|arrearage|freetieronly|\b1113\b/,
    words:
      /insufficient (?:credits?|balance|funds|quota)|credit balance|out of credits|more credits|settings\/credits|spend(?:ing)? limit|requires a subscription|all available credits|have any credits|credits are depleted|calls ?\/ ?month/i,
  },
  {
    kind: 'wrong-key',
    status: [401],
    code: /invalid_api_key|authentication_error|unauthenticated/,
    words: /(?:incorrect|invalid|missing|no) api.?key|api.?key (?:not valid|is invalid|not found)/i,
  },
  {
    kind: 'content-filter',
    // Cohere's own status.
    status: [498],
    code: /content_filter|content_policy|moderation|data_?inspection|\b1301\b/,
    words:
      /content (?:management )?(?:policy|filter)|flagged (?:by|as)|requires moderation|violates? (?:our |the )?usage (?:guidelines|polic)|content exists risk/i,
  },
  {
    kind: 'overload',
    status: [503, 529],
    code: /overloaded|capacity_exceeded|\b1312\b/,
    words: /\boverloaded\b|over capacity|at capacity|capacity exceeded/i,
  },
  {
    kind: 'rate-limit',
    status: [429],
    code: /rate_limit|too_many_requests/,
    vague: /resource_exhausted/,
  },
  {
    kind: 'context-overflow',
    status: [413],
    code: /context_length|context_window|string_above_max_length|\b1261\b/,
    words:
      /context (?:length|window|size|limit)|range of input length|model token limit|prompt too long|maximum context|maximum prompt length|token count.{0,40}exceeds|prompt is too long|input is too long|too many (?:input )?tokens|exceeds? the (?:available|maximum) (?:context|input)/i,
  },
  {
    kind: 'unknown-model',
    status: [404],
    code: /model_not_found|invalid_model|not_found_error|model_decommissioned|\b1211\b/,
    words:
      /model\b.{0,120}\b(?:not found|(?:does not|doesn't) exist|not exist)|(?:unknown|no such|not a valid|invalid) model\b/i,
  },
  { kind: 'wrong-key', status: [403], vague: /permission/ },
  { kind: 'server-error', status: [408] },
]

/** Codes that can mean anything: words and status say more. */
const anyFault = /server_error|internal_error|api_error/

/** Alibaba words a per-minute limit as if the account were empty; only the help page that it links to differs. */
const limitPerMinute = /error-code#(?:token|rate)-limit/

const kindOf = (status: number | undefined, problem: ProviderProblem): ModelErrorKind => {
  const { code, words } = problem
  if (limitPerMinute.test(words)) return 'rate-limit'
  const found =
    rules.find(rule => rule.code?.test(code)) ??
    rules.find(rule => rule.words?.test(words)) ??
    rules.find(rule => rule.vague?.test(code)) ??
    rules.find(rule => status !== undefined && rule.status?.includes(status))
  if (found) return found.kind
  return status !== undefined && status < 500 && !anyFault.test(code) ? 'bad-request' : 'server-error'
}

const named = (status: number): string => `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim()

const hint = (status: number, headers: HttpHeaders, problem: ProviderProblem): string => {
  if (status >= 300 && status < 400) {
    const { location } = headers
    const target = typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : ''
    return `; the endpoint redirects${target ? ` to ${target}` : ''}: use the address that it redirects to`
  }
  const lost = status === 404 && problem.code === '' && !/model/i.test(problem.words)
  return lost ? '; there is no API at this address: most base URLs end in /v1' : ''
}

/** The error for a reply with this status. */
export const statusError = (
  status: number,
  headers: HttpHeaders,
  problem: ProviderProblem,
  secrets: readonly string[],
): ModelError => ({
  kind: kindOf(status, problem),
  message: (presentable(problem.words, secrets) || named(status)) + hint(status, headers, problem),
  status,
})

/** The error that a server reports inside a reply with a good status. */
export const reportedError = (problem: ProviderProblem, secrets: readonly string[]): ModelError => ({
  kind: kindOf(problem.status, problem),
  message: presentable(problem.words, secrets) || 'the provider reported an error without a message',
  ...(problem.status !== undefined && { status: problem.status }),
})

const first = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? value[0] : value) ?? ''

/** How long the server asks us to wait: seconds, a date, or milliseconds in a separate header. */
export const retryAfter = (headers: HttpHeaders, now: number): number | undefined => {
  const milliseconds = Number.parseFloat(first(headers['retry-after-ms']))
  if (milliseconds >= 0) return milliseconds
  const text = first(headers['retry-after']).trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

// networkErrors: Describes a failed connection: the host, and the code of the cause.

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: is the server running?',
  ENOTFOUND: 'was not found: check the name and the network',
  EAI_AGAIN: 'could not be looked up: check the network',
  EHOSTUNREACH: 'cannot be reached: check the network',
  ENETUNREACH: 'cannot be reached: check the network',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
}

/** If several addresses are tried at once, their errors come inside one. */
const causeOf = (error: Error): Error => {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return causeOf(error.errors[0])
  return error.cause instanceof Error ? causeOf(error.cause) : error
}

const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

const detail = (error: Error): string =>
  [error.message, codeOf(error)].filter(part => part !== '').join(', ') || error.name

export const networkError = (
  error: Error,
  url: URL,
  /** Whether the reply had already started. */
  started: boolean,
  secrets: readonly string[],
): ModelError => {
  const cause = causeOf(error)
  const code = codeOf(cause)
  const { host } = url
  const known = explanations[code]
  const message = started
    ? `connection closed mid-answer by ${host} (${detail(cause)})`
    : known
      ? `${host} ${known} (${code})`
      : `connection to ${host} failed (${detail(cause)})`
  return { kind: 'network', message: presentable(message, secrets) }
}

// schemaInWords: Asks for the form of a reply in the prompt, for models whose maker doesn't enforce a schema.

/** Nothing holds such a model to the order of the keys, and an answer that it writes first is a guess. */
export const schemaInWords = ({ json }: Shape): string =>
  [
    'Reply with one JSON object that keeps to this JSON schema, and write nothing before or after it:',
    JSON.stringify(json),
    `Fill in the fields in this order: ${Object.keys(json.properties ?? {}).join(', ')}.`,
  ].join('\n')
