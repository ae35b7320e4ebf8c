/** What a person cites. They are told what is wrong with it; a model's citation that says nothing is left out. */
import { type Citable, longestCited } from './citation.ts'
import { flattened, shortestQuote } from './flattened.ts'
import { isPicture } from './picture.ts'
import { isWebAddress } from './source.ts'
import { trimmed } from './trimmed.ts'

/** As many as models are asked for. */
export const mostOwnCitations = 6
export const longestPlace = 200

/** Why the words can't be looked up; undefined if they can. */
export const wordsProblem = (words: string): string | undefined => {
  if (words.length > longestCited) return `copy at most ${longestCited} characters of the exact words`
  return trimmed(flattened(words), "'. ").length < shortestQuote
    ? `copy at least ${shortestQuote} characters of the exact words`
    : undefined
}

const exhibitProblem = (exhibit: unknown, { exhibits, sources = [] }: Citable): string | undefined => {
  const count = exhibits.length + sources.length
  if (typeof exhibit !== 'number' || !Number.isInteger(exhibit) || exhibit < 1 || exhibit > count)
    return `its exhibit must be a number from 1 to ${count}`
  const cited = exhibits[exhibit - 1]
  return cited && isPicture(cited) ? `exhibit ${exhibit} is a picture, which has no words to cite` : undefined
}

const problemOf = (one: unknown, citable: Citable): string | undefined => {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return 'it must have an exhibit and a quote'
  const { exhibit, address, place, quote } = one as Readonly<Record<string, unknown>>
  if (typeof quote !== 'string') return wordsProblem('')
  if (place !== undefined && place !== null && (typeof place !== 'string' || place.length > longestPlace))
    return `its place must be a text of at most ${longestPlace} characters`
  const onWeb = citable.web && typeof address === 'string'
  if (onWeb && !isWebAddress(address)) return 'its address must begin with http:// or https://'
  return (onWeb ? undefined : exhibitProblem(exhibit, citable)) ?? wordsProblem(quote)
}

/** What is wrong with the citations of an answer, in words; undefined if nothing is. `citable`: absent if nobody may cite. */
export const citationsProblem = (raw: unknown, citable: Citable | undefined): string | undefined => {
  if (raw === undefined || raw === null) return undefined
  if (!Array.isArray(raw)) return 'citations must be a list'
  if (raw.length === 0) return undefined
  const count = citable ? citable.exhibits.length + (citable.sources?.length ?? 0) : 0
  if (!citable || (count === 0 && !citable.web))
    return 'this question has nothing to cite: leave out citations'
  if (raw.length > mostOwnCitations) return `an answer has at most ${mostOwnCitations} citations`
  for (const [index, one] of raw.entries()) {
    const problem = problemOf(one, citable)
    if (problem !== undefined) return `citation ${index + 1}: ${problem}`
  }
  return undefined
}
