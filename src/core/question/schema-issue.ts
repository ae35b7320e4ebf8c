/** What a schema found wrong, as a place and words. */
import type { z } from 'zod'

/** "rounds[0].answers[2].headline" */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

/** A union's own message says nothing: the issue of the alternative that came furthest does. */
export const deepest = (issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } => {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map(deepest)
  const [best] = inner.sort((one, other) => other.path.length - one.path.length)
  return best ? { path: [...issue.path, ...best.path], message: best.message } : issue
}
