/**
 * Finds the figures of a text, with everything that each may mean: "1,000" is a thousand, or one; "34 %" is 34, or 0.34;
 * "2.7 million" is 2.7, or 2,700,000. One of the meanings is enough to find a figure again elsewhere.
 */
import { normalForm, trimmedEnd } from '../core/basics.ts'
import { type Session, seatCalled } from '../core/session.ts'
import { countedIn, type Tally } from '../count/tally.ts'
import { movedBy, type Verdict } from '../count/verdict.ts'
import {
  type CountStatement,
  claimProblems,
  countStatementsIn,
  isQuoteOf,
  notIts,
  quotationProblems,
  quotes,
  speakersIn,
} from './claims.ts'
import { type Computed, computedIn, materialOf, valuesOf } from './report.ts'

export interface Meaning {
  readonly value: number
  /** What its last digit counts: 0.01 in "0.34", 100 in "1,200", 100,000 in "1.3 million". */
  readonly step: number
}

export interface FigureInText {
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

const figureAt = (text: string, said: string, index: number): FigureInText[] => {
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

export const figuresIn = (text: string): FigureInText[] => {
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

// reportCheck: Finds what in a report contradicts the verdict: the moderator may mention the counts, but code makes them.

/** The tallies that a report may mention. */
const talliesOf = ({ sealed, final }: Verdict): Tally[] => [sealed, final].filter(tally => tally !== null)

const campSizes = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(tally => tally.camps.map(camp => camp.seats.length))

/** Every number of seats that may be said to dissent: from the leading camp, or from any camp if none leads. */
const dissents = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(({ camps, leading, agree, answered }) => [
    answered - agree,
    ...camps.filter(camp => camp.id !== leading).map(camp => camp.seats.length),
  ])

const absences = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(({ silent, abstained }) => [
    silent.length,
    abstained.length,
    silent.length + abstained.length,
  ])

/** Whether that many seats did what the statement says. */
const isTrueCount = (verdict: Verdict, { about, part }: CountStatement & { type: 'count' }): boolean => {
  const tallies = talliesOf(verdict)
  switch (about) {
    case 'agree':
      return [verdict.agree, ...campSizes(tallies).filter(size => size > 1)].includes(part)
    case 'dissent':
      return [verdict.dissent.length, ...dissents(tallies)].includes(part)
    case 'change':
      return part <= verdict.flips
    case 'absence':
      return absences(tallies).includes(part)
    case 'answer':
      return tallies.some(tally => [tally.answered, countedIn(tally)].includes(part))
    case 'side':
      return [0, ...campSizes(tallies), ...dissents(tallies)].includes(part)
    case 'anything':
      return [
        verdict.of,
        verdict.flips,
        ...tallies.flatMap(tally => [tally.answered, countedIn(tally)]),
        ...campSizes(tallies),
        ...dissents(tallies),
        ...absences(tallies),
      ].includes(part)
    default:
      return about satisfies never
  }
}

/** Everybody agreed. `answering`: everybody that answered did. */
const isWhole = (verdict: Verdict, answering: boolean, count: number | undefined): boolean =>
  [verdict, ...talliesOf(verdict)].some(tally => {
    const { agree, of } = tally
    const answered = countedIn(tally)
    const counted = count === undefined || count === agree
    return counted && (agree === of || (agree === answered && (answering || count === answered)))
  })

const hasMajority = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ agree, of }) => agree * 2 > of)

const isTied = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ level }) => level === 'tie' || level === 'split')

const holds = (verdict: Verdict, statement: CountStatement): boolean => {
  switch (statement.type) {
    case 'count': {
      const answered = talliesOf(verdict).flatMap(tally => [tally.answered, countedIn(tally)])
      const whole = statement.whole === undefined || [verdict.of, ...answered].includes(statement.whole)
      return whole && isTrueCount(verdict, statement)
    }
    case 'everybody':
      return isWhole(verdict, statement.answering, statement.count)
    case 'majority':
      return hasMajority(verdict)
    case 'tie':
      return isTied(verdict)
    default:
      return statement satisfies never
  }
}

/** What is wrong with the report's numbers, in words. Empty if nothing is. */
export const contradictions = (report: string, verdict: Verdict): string[] =>
  countStatementsIn(report)
    .filter(statement => !holds(verdict, statement))
    .map(statement => `it says "${statement.said}", the verdict is "${verdict.line}"`)

// reportFigures: Looks up the figures of a report: each must be in an answer, in what was asked, or among what code counted.

interface Known {
  /** Figures in texts, and values of answers. */
  readonly written: ReadonlySet<number>
  readonly sorted: Float64Array
  /** What code computed: it may be rounded without a word. */
  readonly computed: Computed
}

const knownTo = (session: Session): Known => {
  const text = materialOf(session).join('\n')
  const written = new Set([
    ...figuresIn(text).flatMap(({ meanings }) => meanings.map(({ value }) => value)),
    ...spelledOut(text),
    ...valuesOf(session),
  ])
  return { written, sorted: Float64Array.from(written).sort(), computed: computedIn(session) }
}

const remembered = new WeakMap<Session, Known>()

const knownIn = (session: Session): Known => {
  const known = remembered.get(session) ?? knownTo(session)
  remembered.set(session, known)
  return known
}

/** How far a rounded figure may be from the one it stands for: half of its last digit, and never more than 15 %. */
const toleranceOf = ({ value, step }: Meaning): number => Math.min(step / 2, value * 0.15) * 1.000001

const isNear = (sorted: Float64Array, meaning: Meaning): boolean => {
  const tolerance = toleranceOf(meaning)
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >>> 1
    if (sorted[middle]! < meaning.value - tolerance) start = middle + 1
    else end = middle
  }
  return start < sorted.length && sorted[start]! <= meaning.value + tolerance
}

const isComputed = (
  { counts, shares, medians }: Computed,
  { said, measured }: FigureInText,
  meaning: Meaning,
): boolean => {
  // Zeros at the end of "80 %" may be meant: without "about" it is no rounding of 83 %.
  const closest = Math.min(toleranceOf(meaning), said.includes('%') ? 0.005 : 0.5)
  const near = (value: number): boolean => Math.abs(value - meaning.value) <= closest
  return (
    medians.some(near) ||
    (said.includes('%') ? shares.some(near) : !measured && counts.includes(meaning.value))
  )
}

const isKnown = ({ written, sorted, computed }: Known, figure: FigureInText): boolean =>
  figure.meanings.some(
    meaning =>
      written.has(meaning.value) ||
      (figure.rounded && isNear(sorted, meaning)) ||
      isComputed(computed, figure, meaning),
  )

/** Whole numbers up to this are ways to count ("3 reasons"); other languages may have spelled them in an answer. */
const mostCounted = ({ language }: Session): number => ((language ?? 'en') === 'en' ? 12 : 100)

const isLookedUp = (session: Session, { said, meanings, measured, inWord }: FigureInText): boolean =>
  !inWord && (measured || !/^\d+$/.test(said) || !meanings.some(({ value }) => value <= mostCounted(session)))

/** More figures than this nobody reads, and more problems than this nobody mends. */
const mostFigures = 300
const mostProblems = 5

/** What is wrong with the figures of a report, in words. Empty if each of them is known. */
export const figureProblems = (session: Session, report: string): string[] => {
  const figures = figuresIn(report).filter(figure => isLookedUp(session, figure))
  if (figures.length > mostFigures) return [`it has more than ${mostFigures} figures`]
  const unknown = figures.filter(figure => !isKnown(knownIn(session), figure)).map(({ said }) => said)
  return [...new Set(unknown)]
    .slice(0, mostProblems)
    .map(
      said =>
        `no seat gave the figure ${said}, and it isn't in the question: leave it out, or give a figure that is there ("about" if you round it)`,
    )
}

// reportLookup: Looks up what a report says: figures, quotations, and what it says of seats. What isn't there is turned down.

/** Words that the moderator attributes to a seat, as it named the seat. */
export interface Attribution {
  readonly seat: string
  readonly quote: string
}

/** Patterns take their time on each sentence, so a report has an end. */
const longestReport = 30_000

const attributionProblems = (session: Session, attributions: readonly Attribution[]): string[] =>
  attributions.flatMap(({ seat: said, quote }) => {
    const seat = seatCalled(session, said)
    if (!seat) return [`there is no seat ${JSON.stringify(said.slice(0, 40))}`]
    return isQuoteOf(session, seat.id, quote) ? [] : [notIts(seat.alias, quote)]
  })

/** What is wrong with the prose of a report, whoever wrote it. `text` has its placeholders filled in. */
export const proseProblems = (session: Session, text: string): string[] =>
  text.length > longestReport
    ? [`it is longer than ${longestReport} characters`]
    : [...figureProblems(session, text), ...quotationProblems(session, text), ...claimProblems(session, text)]

/** A seat that is said to have argued something needs words that prove it: in a reason, in the prose, or as a credit. */
export const unprovenSpeakers = (
  session: Session,
  text: string,
  attributions: readonly Attribution[],
): string[] => {
  const proven = new Set([
    ...attributions.flatMap(({ seat }) => seatCalled(session, seat)?.id ?? []),
    ...movedBy(session).keys(),
    ...[...movedBy(session).values()].flatMap(by => [...by]),
  ])
  return speakersIn(session, text.slice(0, longestReport))
    .filter(seat => !proven.has(seat) && !quotes(session, seat, text))
    .map(seat => {
      const { alias } = session.seats.find(({ id }) => id === seat)!
      return `it attributes a point to Seat ${alias}, and no words of Seat ${alias} are quoted: quote them in a reason, or leave the seat out`
    })
}

export const lookupProblems = (
  session: Session,
  text: string,
  attributions: readonly Attribution[],
): string[] => [...proseProblems(session, text), ...attributionProblems(session, attributions)]
