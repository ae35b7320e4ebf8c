/**
 * How a number is read, as models and people write it: 384400, "3,5", "384 400 km", "5 Millionen", "٣٥". A number is never
 * guessed: what could mean two things is a problem, with words that say what was in doubt.
 */
import { normalForm, trimmed } from './basics.ts'
import { isTolerance, type Question } from './question.ts'

export type NumberRead = { readonly number: number } | { readonly problem: string }

/** Nobody writes a number in more characters. */
const longestNumber = 200
/** A number keeps as many; more would be shown as digits that nobody wrote. */
const mostDigits = 15

/** What a text means if a lone mark before three digits is a decimal sign, and if it groups digits. Mostly the same. */
type Meanings = readonly [decimal: number, grouped: number]
type MeaningsRead = Meanings | { readonly problem: string }

const isProblem = (read: MeaningsRead): read is { readonly problem: string } => 'problem' in read

/** Reads one number by itself. Undefined `unit`: nothing may stand beside it but a multiple such as "million". */
export const readNumber = (value: unknown, unit?: string): NumberRead => {
  const read = meaningsOf(value, unit)
  if (isProblem(read)) return read
  const [decimal, grouped] = read
  return decimal === grouped ? { number: decimal } : { problem: inDoubt(value, read) }
}

export const numberFrom = (value: unknown, unit?: string): number | undefined => {
  const read = readNumber(value, unit)
  return 'problem' in read ? undefined : read.number
}

/** A tolerance as people write it: "500", "0,5", "10%". Undefined if it isn't one. */
export const toleranceFrom = (text: string): Question['tolerance'] => {
  const said = text.trim()
  const tolerance = said.endsWith('%') ? said : numberFrom(said)
  return tolerance !== undefined && isTolerance(tolerance) ? tolerance : undefined
}

export interface NumberWithRange {
  readonly number: number
  readonly low?: number
  readonly high?: number
}

/**
 * A number and the range around it. A range may tell which of two meanings the number has, and the number which of two the
 * range has. An end that the number is beyond doesn't count.
 */
export const readEstimate = (
  raw: Readonly<Record<'number' | 'low' | 'high', unknown>>,
  { unit, scale }: Pick<Question, 'unit' | 'scale'>,
): NumberWithRange | { readonly problem: string } => {
  const middle = meaningsOf(raw.number, unit)
  if (isProblem(middle)) return middle
  const [low, high] = [raw.low, raw.high].map(end => {
    const read = meaningsOf(end, unit)
    return isProblem(read) ? undefined : read
  })
  const fitting = ([0, 1] as const).filter(
    way => (low?.[way] ?? -Infinity) <= middle[way] && middle[way] <= (high?.[way] ?? Infinity),
  )
  const way = fitting.length === 1 ? fitting[0] : undefined
  const meant = (read: Meanings | undefined): number | undefined =>
    read && (way === undefined ? (read[0] === read[1] ? read[0] : undefined) : read[way])
  const number = meant(middle)
  if (number === undefined) return { problem: inDoubt(raw.number, middle) }
  if (scale === 'log' && number <= 0)
    return { problem: `number is ${number}, and on this scale it must be above zero` }
  const [least, most] = [meant(low), meant(high)]
  return {
    number,
    ...(least !== undefined && least <= number && (scale !== 'log' || least > 0) && { low: least }),
    ...(most !== undefined && most >= number && { high: most }),
  }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 200)

/** Three digits behind the point could be a group again, so they get a fourth. */
const clearText = (value: number): string =>
  /^-?\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : String(value)

const inDoubt = (value: unknown, [decimal, grouped]: Meanings): string =>
  `number ${show(value)} can mean ${decimal} or ${grouped}: write ${clearText(decimal)} or ${grouped}`

const notANumber = (value: unknown): { readonly problem: string } => ({
  problem: `number is not a number: ${show(value)}`,
})

const tooManyDigits = (value: unknown): { readonly problem: string } => ({
  problem: `number has more than ${mostDigits} digits: ${show(value)}`,
})

const same = (value: number): Meanings => [value, value]

/** Another spelling of the same number has the same unit, so all that a number may be beside its digits is looked at here. */
const meaningsOf = (value: unknown, unit: string | undefined): MeaningsRead => {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return notANumber(value)
    if (Number.isInteger(value) && Number(value.toPrecision(mostDigits)) !== value)
      return tooManyDigits(value)
    return within(value, same(value), unit)
  }
  if (typeof value !== 'string' || value.length > longestNumber) return notANumber(value)
  const read = fromText(plainText(value), unit)
  if (read === 'too long') return tooManyDigits(value)
  return read ? within(value, read, unit) : notANumber(value)
}

/** What a unit says of the meaning: people are whole, and a probability is at most 1. */
const within = (value: unknown, read: Meanings, unit = ''): MeaningsRead => {
  if (!isProbability(unit)) return read
  const possible = read.filter(one => one >= 0 && one <= 1)
  return possible.length === 0
    ? { problem: `number is no probability from 0 to 1: ${show(value)}` }
    : same(possible[0]!)
}

// The digits

const zeroOf = (character: string): number => {
  let code = character.codePointAt(0)!
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) code--
  return code
}

/** Digits of any script as 0 to 9. A superscript isn't a digit: 10² isn't 102. */
export const westernDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, digit => String((digit.codePointAt(0)! - zeroOf(digit)) % 10))

/** One sign for each kind of mark, and nothing around the number but its unit. */
const plainText = (text: string): string => {
  const plain = westernDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/[−‐‑–—－]/g, '-')
    .replace(/＋/g, '+')
    .replace(/．/g, '.')
    .replace(/，/g, ',')
    .replace(/[٬’＇\u00a0\u202f\u2009]/g, ' ')
  const bare = trimmed(trimmed(plain, ' \n\t*_`"“”„«»「」'), ' ').replace(/[.。،]+$/u, '')
  return trimmed(bare.replace(hedgeBefore, '').replace(hedgeAfter, ''), ' *_`"“”„«»「」')
}

const hedgeBefore =
  /^(?:[~≈∼≃]|大?[约約]|およそ|약|(?:about|around|approximately|approx|roughly|circa|ca|etwa|rund|ungefähr|environ|aproximadamente|unos|cerca de|około|ongeveer|примерно|около|yaklaşık|حوالي|लगभग)(?:\.|(?=\s)))\s*/iu
const hedgeAfter = /\s(?:\(?(?:approx|approximately|roughly|estimated|est|or so)\.?\)?)$/iu

/** Groups of three; in India, groups of two before the last. A first group never begins with zero. */
const groups = (digits: string): string | undefined =>
  /^[1-9]\d{0,2}([.,_' ])\d{3}(?:\1\d{3})*$/.test(digits) || /^[1-9]\d?(?:,\d{2})+,\d{3}$/.test(digits)
    ? digits.replace(/\D/g, '')
    : undefined

/** The whole digits and those behind the decimal sign, which is the last mark and stands once. */
const decimals = (digits: string): string | undefined => {
  const at = digits.search(/[.,٫](?=\d*$)/)
  if (at < 0 || digits.indexOf(digits[at]!) < at) return undefined
  const [whole, fraction] = [digits.slice(0, at), digits.slice(at + 1)]
  const read = /^\d*$/.test(whole) ? whole : groups(whole)
  return read === undefined || fraction === '' ? undefined : `${read || '0'}.${fraction}`
}

/** Digits that JavaScript reads: once for each meaning. */
const spellings = (digits: string): readonly string[] =>
  /^\d+$/.test(digits) ? [digits] : [decimals(digits), groups(digits)].filter(one => one !== undefined)

const isTooLong = (digits: string): boolean =>
  (digits.includes('.') ? digits.replace(/^0+|\..*$/g, '') : trimmed(digits, '0')).length > mostDigits

const exponentPattern =
  /^(?:e([+-]?\d{1,4})(?!\d)|\s*[×x*·]\s*10(?:\s*\^\s*([+-]?\d{1,4})(?!\d)|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})))/iu
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹'

const fromText = (text: string, unit: string | undefined): Meanings | 'too long' | undefined => {
  const begins = text.search(/\d/)
  if (begins < 0) return undefined
  const start = text[begins - 1] === '.' ? begins - 1 : begins
  const sign = signBefore(text.slice(0, start), unit)
  const [digits = ''] = /^(?:\.\d+|\d(?:[\d.,٫_' ]*\d)?)/.exec(text.slice(start)) ?? []
  const rest = text.slice(start + digits.length)
  const [whole = '', plain, power, small] = exponentPattern.exec(rest) ?? []
  const exponent =
    plain ??
    power ??
    (small ?? '0')
      .replace('⁻', '-')
      .replace('⁺', '')
      .replace(/[⁰-⁹¹²³]/g, digit => String(raised.indexOf(digit)))
  const behind = rest.slice(whole.length)
  // Nobody groups the digits before an exponent with a point.
  const spelled = whole !== '' && /^\d\.\d+$/.test(digits) ? [digits] : spellings(digits)
  if (sign === undefined || spelled.length === 0) return undefined
  if (spelled.some(isTooLong)) return 'too long'
  const values = spelled.map(one => Number(`${one}e${exponent}`))
  if (values.some(value => !Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits)))) return undefined
  const times = multipleOf(behind, unit) ?? counted(behind, values[0]!, unit)
  if (times === undefined) return undefined
  const [first, second = first] = values.map(value => sign * scaled(value, times)) as [number, number?]
  // Nobody counts one and a half people.
  return times === 1 && unit !== undefined && wholeUnits.has(unitKey(unit)) ? same(second) : [first, second]
}

/** Without float noise: 70% is 0.7. */
const scaled = (value: number, times: number): number =>
  times === 1 ? value : Number((value * times).toPrecision(mostDigits))

/** A minus, and the unit if it is written in front, as with "$". */
const signBefore = (text: string, unit: string | undefined): 1 | -1 | undefined => {
  const [, first, word = '', second] = /^([+-]?)\s*([^\s+-]*)\s*([+-]?)$/.exec(text.trim()) ?? []
  if (first === undefined || (first !== '' && second !== '')) return undefined
  if (word !== '' && (unit === undefined || !isUnit(word, unit))) return undefined
  return first === '-' || second === '-' ? -1 : 1
}

/** "1億2000万": a smaller amount behind a multiple. `value`: what stands before the multiple. */
const counted = (behind: string, value: number, unit: string | undefined): number | undefined => {
  const [, mark, rest] = /^([兆조亿億억万萬만])(\d.*)$/su.exec(behind) ?? []
  if (mark === undefined || rest === undefined || value <= 0) return undefined
  const added = fromText(rest, unit)
  const times = wideMultiples[mark]!
  return typeof added === 'object' && added[0] === added[1] && added[0] < times
    ? times + added[0] / value
    : undefined
}

// What stands beside the digits

const listed = (entries: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries).flatMap(([words, times]) => words.split(' ').map(word => [word, times])))

/**
 * Multiples in English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Russian, Turkish, Hindi and
 * Arabic. Left out is what means two things: "billions" is a thousand times more in French than in English, and "mil" is a
 * thousand in Spanish. So are single letters, which could be units.
 */
const multiples = listed({
  'dozen dozens': 12,
  'hundred hundreds hundert honderd': 100,
  'thousand thousands tausend tsd mille mila duizend tusen tysiąc tysiące tysięcy tys тысяча тысячи тысяч тыс bin हज़ार हजार ألف آلاف': 1e3,
  'lakh lakhs lac लाख': 1e5,
  'million millions mio mn mln millionen millionär millones millón milhão milhões milione milioni miljoen miljon miljoner milion miliony milionów миллион миллиона миллионов млн milyon मिलियन مليون ملايين': 1e6,
  'crore crores करोड़': 1e7,
  'billion bn mrd mld mia milliarde milliarden milliard milliards bilhão bilhões miliardo miliardi miljard miljarder miliard miliardy miliardów миллиард миллиарда миллиардов млрд milyar अरब مليار مليارات': 1e9,
  'trillion tn billionen billones billón biliões biljoen trylion триллион триллиона триллионов трлн trilyon تريليون': 1e12,
})
/** Written without a space; several of them multiply. */
const wideMultiples: Readonly<Record<string, number>> = {
  ...{ 十: 10, 百: 100, 千: 1e3, 천: 1e3, 万: 1e4, 萬: 1e4, 만: 1e4 },
  ...{ 亿: 1e8, 億: 1e8, 억: 1e8, 兆: 1e12, 조: 1e12 },
}

/** By how much the digits are multiplied. Undefined if what stands behind them is neither a multiple nor the unit. */
const multipleOf = (behind: string, unit: string | undefined): number | undefined => {
  const said = trimmed(normalForm(behind, 'NFKC').toLowerCase(), ' .,。')
  if (said === '') return 1
  if (unit !== undefined) {
    if (isUnit(said, unit)) return 1
    if (isProbability(unit) && isPercent(said.replace(/\s+probability$/, ''))) return 0.01
    // "5 million" in a unit of million euros is five, and "5 billion" could be anything.
    const [own] = unitMultiples(unit)
    if (own !== undefined) return said === own ? 1 : undefined
  }
  const [first = '', second = ''] = said.split(/[\s.]+/u, 2)
  if (first === 'mil' && second.startsWith('mill'))
    return times(1e9, said.slice(said.indexOf(second) + second.length), unit)
  const known = multiples.get(first)
  if (known !== undefined) return times(known, said.slice(first.length), unit)
  const wide = wideMultiples[said[0]!]
  return wide === undefined ? undefined : times(wide, said.slice(1), unit)
}

const times = (known: number, rest: string, unit: string | undefined): number | undefined => {
  const further = multipleOf(rest.replace(/^[\s.]*(?:of\s|de\s|d['’ ]\s*|di\s|von\s|van\s)?/u, ''), unit)
  return further === undefined ? undefined : known * further
}

const unitMultiples = (unit: string): string[] =>
  unit
    .toLowerCase()
    .split(/\s+/u)
    .filter(word => multiples.has(word))

/** A unit without case, spacing, a full stop, or an s that makes it a plural. */
const unitKey = (unit: string): string => {
  const key = trimmed(normalForm(unit, 'NFKC').toLowerCase().replace(/\s+/gu, ' '), ' .')
  return key.length > 3 ? key.replace(/s$/, '') : key
}

/** Words for one unit. The first is its sign. */
const sameUnits: readonly ReadonlySet<string>[] = [
  [
    '%',
    'percent',
    'per cent',
    'pct',
    'prozent',
    'pour cent',
    'por ciento',
    'por cento',
    'per cento',
    'procent',
  ],
  ['km', 'kilometer', 'kilometre', 'kilomètre', 'kilómetro', 'chilometro', 'километр', '公里', '千米'],
  ['m', 'meter', 'metre', 'mètre', 'metro', '米'],
  ['kg', 'kilogram', 'kilogramm', 'kilogramme', 'kilo'],
  ['°c', 'c', 'celsius', 'degree celsius', 'degrees celsius', 'grad celsius'],
  ['$', 'us$', 'usd', 'dollar', 'us dollar', 'u.s. dollar'],
  ['€', 'eur', 'euro', 'евро'],
  ['£', 'gbp', 'pound', 'pounds sterling'],
  ['¥', '円', 'jpy', 'yen'],
  ['元', 'cny', 'rmb', 'yuan'],
  ['₹', 'inr', 'rupee', 'रुपये'],
  ['year', 'yr', 'yrs', 'jahr', 'jahre'],
  ['h', 'hr', 'hrs', 'hour', 'stunde', 'stunden', 'heure'],
  ['min', 'mins', 'minute', 'minuten'],
  ['people', 'person', 'persons'],
].map(words => new Set(words.map(unitKey)))

const percents = new Set([
  ...sameUnits[0]!,
  ...['процент', 'процента', 'процентов', '٪', '百分点', 'パーセント', '퍼센트'],
])
const isPercent = (words: string): boolean => percents.has(unitKey(words))

const isProbability = (unit: string): boolean => /^\s*probability\s*$/i.test(unit)

/** Whether words that a reply has beside its number mean the unit that was asked for. */
const isUnit = (words: string, unit: string): boolean => {
  const [said, wanted] = [unitKey(words), unitKey(unit)]
  return (
    said === wanted ||
    (percents.has(said) && percents.has(wanted)) ||
    sameUnits.some(units => units.has(said) && units.has(wanted))
  )
}

/** What is counted, and never has a fraction. */
const wholeUnits: ReadonlySet<string> = new Set(
  [
    ...[
      'people',
      'person',
      'inhabitant',
      'resident',
      'citizen',
      'employee',
      'job',
      'death',
      'vote',
      'voter',
      'student',
    ],
    ...[
      'household',
      'house',
      'home',
      'car',
      'animal',
      'species',
      'word',
      'book',
      'language',
      'country',
      'atom',
    ],
    ...[
      'personen',
      'menschen',
      'einwohner',
      'habitant',
      'personne',
      'habitante',
      'persona',
      'pessoa',
      'abitante',
    ],
    ...['человек', 'жителей', '人', '名', '명'],
  ].map(unitKey),
)
