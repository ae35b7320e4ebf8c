/**
 * Finds the figures of a text, with everything that each may mean: "1,000" is a thousand, or one; "34 %" is 34, or 0.34;
 * "2.7 million" is 2.7, or 2,700,000. One of the meanings is enough to find a figure again elsewhere.
 */
import { normalForm } from '../question/normal-form.ts'
import { trimmedEnd } from '../question/trimmed.ts'

export interface Meaning {
  readonly value: number
  /** What its last digit counts: 0.01 in "0.34", 100 in "1,200", 100,000 in "1.3 million". */
  readonly step: number
}

export interface Figure {
  /** As it is written. */
  readonly said: string
  readonly meanings: readonly Meaning[]
  /** "about 85": the text says that it is rounded. */
  readonly rounded: boolean
  /** It has a percent sign, a currency or a unit, so it is more than a way to count on one's fingers. */
  readonly measured: boolean
  /** The digits belong to a word ("CO2"), number a list, or stand for a place ("20th"). */
  readonly inWord: boolean
}

/** Zeros of digits that people write besides ours: Arabic, Persian, Devanagari, Bengali, Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

/** With the digits that patterns and `Number` know. */
const withPlainDigits = (text: string): string =>
  normalForm(text, 'NFKC').replace(/[٠-٩۰-۹०-९০-৯๐-๙]/g, digit => {
    const code = digit.charCodeAt(0)
    return String(code - (zeros.findLast(zero => zero <= code) ?? code))
  })

const digits = /\d+(?:[.,'’]\d+| \d{3}(?!\d))*/g

const whole = (said: string): Meaning => {
  const plain = said.replace(/\D/g, '')
  const zeros = plain.length - trimmedEnd(plain, '0').length
  return { value: Number(plain), step: 10 ** Math.min(zeros, plain.length - 1) }
}

const decimal = (before: string, after: string): Meaning => ({
  value: Number(`${before.replace(/\D/g, '')}.${after}`),
  step: 10 ** -after.length,
})

/** Digits in groups of three are a whole number, with one sign they may be a decimal. */
const readings = (said: string): Meaning[] => {
  const [, groups, rest] = /^(\d{1,3}(?:[.,'’ ]\d{3})+)[.,](\d+)$/.exec(said) ?? []
  const [, before, after] = /^(\d+)[.,](\d+)$/.exec(said) ?? []
  return [
    ...(/^(?:\d+|\d{1,3}(?:[.,'’ ]\d{3})+)$/.test(said) ? [whole(said)] : []),
    ...(groups && rest ? [decimal(groups, rest)] : []),
    ...(before && after ? [decimal(before, after)] : []),
  ]
}

const percentSign =
  /^\s?(?:%|percent|per cent|pct|prozent|pour cent|por ciento|por cento|per cento|procent)/iu
const scales: readonly (readonly [RegExp, number])[] = [
  [/^[\s-]?(?:k(?!\p{L})|thousand|tausend|mille(?!\p{L})|mil(?!\p{L})|mila|duizend)/iu, 1e3],
  [/^[\s-]?(?:m(?!\p{L})|mn(?!\p{L})|mio|millions?|millionen|millones|milhões|milioni|miljoen)/iu, 1e6],
  [/^[\s-]?(?:bn(?!\p{L})|billion|milliards?|milliarden|mrd|miliardi|miljard)/iu, 1e9],
  [/^\s?[万萬]/u, 1e4],
  [/^\s?[亿億]/u, 1e8],
]
const unit =
  /^[\s-]?(?:[€$£¥°]|(?:km|cm|mm|m|kg|g|t|l|kwh|mwh|gwh|kw|mw|gw|w|ms|s|h|euros?|dollars?|pounds?|usd|eur)(?![\p{L}\p{N}]))/iu
const currency = /[€$£¥]\s?$/u
const rounding =
  /(?:[~≈∼]|(?:^|[^\p{L}])(?:about|around|roughly|approximately|approx\.?|some|nearly|almost|close to|circa|ca\.?|over|under|more than|less than|above|below|up to|etwa|rund|ungefähr|knapp|gut|fast|über|unter|environ|près de|presque|autour de|plus de|moins de|casi|alrededor de|aproximadamente|unos|unas|más de|menos de|quasi|intorno a|oltre|ongeveer|bijna|cerca de))\s?[€$£¥]?$/iu
/** "50/50" and "24/7" are ways to say half and half, and always. */
const isIdiom = (before: string, said: string, after: string): boolean =>
  (said === '50' && (/50\s?[/–-]\s?$/.test(before) || /^\s?[/–-]\s?50(?!\d)/.test(after))) ||
  (said === '24' && after.startsWith('/7'))

const place = /^(?:st|nd|rd|th|er|ème|º|ª)(?!\p{L})/u
/** Longer than what the patterns above can match beside a figure. */
const beside = 24

const tidy = (value: number): number => Number(value.toPrecision(12))

const meaningsOf = (said: string, after: string): Meaning[] => {
  const factors = [
    1,
    ...(percentSign.test(after) ? [0.01] : []),
    ...scales.filter(([pattern]) => pattern.test(after)).map(([, factor]) => factor),
  ]
  return readings(said).flatMap(({ value, step }) =>
    factors.map(factor => ({ value: tidy(value * factor), step: step * factor })),
  )
}

const figureAt = (text: string, said: string, index: number): Figure[] => {
  const before = text.slice(Math.max(0, index - beside), index)
  const after = text.slice(index + said.length, index + said.length + beside)
  const meanings = meaningsOf(said, after)
  // A date or a list such as "1,2,3" isn't one number.
  if (meanings.length === 0) return said.split(/\D+/).flatMap(part => figureAt(part, part, 0))
  const listed = /(?:^|\n)\s*$/.test(text.slice(Math.max(0, index - 4), index)) && /^[.)]\s/.test(after)
  return [
    {
      said: `${said}${percentSign.exec(after)?.[0] ?? ''}`,
      meanings,
      rounded: rounding.test(before),
      measured: percentSign.test(after) || unit.test(after) || currency.test(before),
      inWord: /[\p{L}_]-?$/u.test(before) || place.test(after) || listed || isIdiom(before, said, after),
    },
  ]
}

export const figuresIn = (text: string): Figure[] => {
  const plain = withPlainDigits(text)
  return [...plain.matchAll(digits)].flatMap(({ 0: said, index }) => figureAt(plain, said, index))
}

const numbered = (words: string, first: number, step: number): [string, number][] =>
  words.split(' ').map((word, index) => [word, first + index * step])

const plainWords = new Map([
  ...numbered('one two three four five six seven eight nine ten eleven twelve', 1, 1),
  ...numbered('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13, 1),
  ...numbered('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
])
const largeWords = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])
const partWords = new Map([
  ...numbered('half third quarter fifth', 2, 1),
  ...numbered('halves thirds quarters fifths', 2, 1),
  ['tenth', 10],
  ['tenths', 10],
])

/** What a word is worth beside the words before and after it: "twenty-five", "two hundred", "three quarters". */
const worthOf = (word: string, before: string, after: string): number[] => {
  const times = plainWords.get(before) ?? 1
  const [plain, large, part] = [plainWords.get(word), largeWords.get(word), partWords.get(word)]
  if (large !== undefined) return [times * large]
  if (part !== undefined) return [tidy(times / part)]
  if (plain === undefined) return []
  const one = plain >= 20 ? (plainWords.get(after) ?? 10) : 10
  return one < 10 ? [plain, plain + one] : [plain]
}

/** What number words and fractions of a text are worth, so that "two thirds" is found again as 67 %. English only. */
export const spelledOut = (text: string): number[] => {
  const fractions = [...text.matchAll(/(?<!\d)(\d{1,6})\/(\d{1,6})(?!\d)/g)].map(([, part, whole]) =>
    tidy(Number(part) / Math.max(1, Number(whole))),
  )
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  const worth = words.flatMap((word, index) => worthOf(word, words[index - 1] ?? '', words[index + 1] ?? ''))
  return [...fractions, ...worth]
}
