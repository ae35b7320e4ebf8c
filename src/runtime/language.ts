/** Detects the language of a text, if it is long enough. */
import { UsageError } from '../core/errors.ts'

type Detect = (text: string) => {
  readonly language: string
  readonly isReliable: () => boolean
  readonly getScores: () => Record<string, number>
}

let loading: Promise<Detect> | undefined

/** Loads the detector. It takes a tenth of a second, so it is loaded early and no token waits for it. */
export const loadDetector = (): Promise<Detect> => {
  loading ??= import('eld/extrasmall').then(
    ({ eld }) =>
      text =>
        eld.detect(text),
  )
  return loading
}

/** Enough characters to detect a language. Whole answers of three hundred seats would hold up everybody. */
const sample = 500

/** Code and links say nothing about the language of a text. */
const prose = (text: string): string =>
  text
    .slice(0, 4 * sample)
    .replace(/```[\s\S]*?```|`[^`]*`|https?:\S+/g, ' ')
    .slice(0, sample)

/** Below this a name or a formula can look like any language. */
const shortestText = 12

/** Short English questions sometimes look like another language. The reverse hardly happens. */
const favour: Readonly<Record<string, number>> = { en: 0.1 }

/** An ISO 639-1 code, or null if the language can't be detected. */
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

/** The wrong language that an answer is in. Null if it is in the expected one, or too short to say. */
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
  throw new UsageError(`There is no language "${wish}". Give a name such as French, or a code such as fr.`)
}
