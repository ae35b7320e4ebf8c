/** Reads what a server says went wrong, in any of the formats that servers use. */
import { pageText } from './page-text.ts'
import { redacted } from './redact.ts'

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
