/** Decides which kind of failure a status and a server's words mean. */
import { STATUS_CODES } from 'node:http'
import type { ModelError, ModelErrorKind } from '../../core/errors.ts'
import type { HttpHeaders } from './exchange.ts'
import { type ProviderProblem, presentable } from './problem.ts'

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
