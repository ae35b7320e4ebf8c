/** Tells languages apart, where the text is long enough to tell. */
import { UsageError } from '../core/errors.ts'

type Detect = (text: string) => {
  readonly language: string
  readonly isReliable: () => boolean
  readonly getScores: () => Record<string, number>
}

let loading: Promise<Detect> | undefined

/** Loads the detector, which takes a tenth of a second: begun early, so that no token waits for it. */
export const loadDetector = (): Promise<Detect> => {
  loading ??= import('eld/extrasmall').then(
    ({ eld }) =>
      text =>
        eld.detect(text),
  )
  return loading
}

/** Enough to tell a language by. Reading whole essays of three hundred seats at once would hold up all of them. */
const sample = 500

/** Code and links say nothing about the language of a text. */
const prose = (text: string): string =>
  text
    .slice(0, 4 * sample)
    .replace(/```[\s\S]*?```|`[^`]*`|https?:\S+/g, ' ')
    .slice(0, sample)

/** Below this a name or a formula can look like any language. */
const shortestText = 12

/** Short English questions look like other languages now and then; the reverse hardly happens. */
const favour: Readonly<Record<string, number>> = { en: 0.1 }

/** ISO 639-1, or null where it cannot be told. */
export const languageOf = async (text: string): Promise<string | null> => {
  const words = prose(text).trim()
  if (words.length < shortestText) return null
  const found = (await loadDetector())(words)
  if (!found.isReliable()) return null
  const weighed = Object.entries(found.getScores()).map(([code, score]) => ({
    code,
    score: score + (favour[code] ?? 0),
  }))
  return weighed.reduce((best, one) => (one.score > best.score ? one : best), {
    code: found.language,
    score: 0,
  }).code
}

/** How much better another language must fit before an answer counts as written in it. */
const clearMargin = 0.08
const shortestAnswer = 40

/** The language that an answer drifted to; null where it keeps to the expected one, or is too short to tell. */
export const driftOf = async (text: string, expected: string | null): Promise<string | null> => {
  const words = prose(text).trim()
  if (expected === null || words.length < shortestAnswer) return null
  const found = (await loadDetector())(words)
  if (!found.isReliable() || found.language === expected) return null
  const scores = found.getScores()
  return (scores[found.language] ?? 0) - (scores[expected] ?? 0) > clearMargin ? found.language : null
}

const known = (code: string, locale: string): string | undefined =>
  new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase()

/** "fr", "French" or "français" as a code. */
export const languageCode = (wish: string): string => {
  const word = wish.trim().toLowerCase()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const codes = [...letters].flatMap(first => [...letters].map(second => first + second))
  const found = codes.find(
    code => known(code, 'en') !== undefined && [code, known(code, 'en'), known(code, code)].includes(word),
  )
  if (found) return found
  throw new UsageError(`There is no language "${wish}"; give a name such as French, or a code such as fr.`)
}
