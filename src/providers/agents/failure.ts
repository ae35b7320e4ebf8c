/** The kind of failure that an agent's words mean. */
import type { ModelError, ModelErrorKind } from '../../core/errors.ts'
import { reportedError } from '../http/http-errors.ts'
import { problemFrom } from '../http/problem.ts'

/** The first match decides. Words are cut before they are matched. */
const rules: readonly { readonly kind: ModelErrorKind; readonly words: RegExp }[] = [
  {
    kind: 'logged-out',
    words:
      /not logged in|log ?in (?:again|required|first)|please (?:run )?\/?log ?in|unauthori[sz]ed|\b401\b|authenticat|no auth type|expired token|token (?:has )?expired/i,
  },
  // The limit of a subscription lasts for hours: asking again in a second doesn't help.
  { kind: 'no-credit', words: /usage limit|quota|limit reached|hit your limit|out of credits/i },
  { kind: 'rate-limit', words: /rate.?limit|too many requests|\b429\b/i },
  { kind: 'overload', words: /overloaded|\b529\b|\b503\b/i },
]

const longestWords = 4_000

/** Unlike a server, a program that fails without a known reason does so again. */
export const agentFailure = (words: string): ModelError => {
  const said = words.trim().slice(0, longestWords)
  const error = reportedError(problemFrom(said), [])
  const found = rules.find(rule => rule.words.test(said))
  const kind = found?.kind ?? (error.kind === 'server-error' ? 'bad-request' : error.kind)
  return { kind, message: error.message }
}
