/** Reads a number as models write it: 384400, "384,400", "3,5", "384 400 km", "5 million". */
import { normalised } from './answer.ts'
import { isTolerance, type Question } from './question.ts'

/** Spellings of a number without its sign, and what turns each into digits that JavaScript reads. */
const spellings: readonly (readonly [RegExp, (said: string) => string])[] = [
  [/^\d+(\.\d+)?(e[+-]?\d+)?$/i, said => said],
  [/^\d{1,3}(?:[,_\s'’]\d{3})+(\.\d+)?$/, said => said.replace(/[^\d.]/g, '')],
  [/^\d+,\d+$/, said => said.replace(',', '.')],
  [/^\d{1,3}(?:\.\d{3}){2,}(,\d+)?$/, said => said.replaceAll('.', '').replace(',', '.')],
]

/** Nobody writes a number in more characters, and the patterns here take time that grows with the square of the text. */
const longestNumber = 200

const multiples: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  lakh: 1e5,
  million: 1e6,
  mio: 1e6,
  crore: 1e7,
  billion: 1e9,
  bn: 1e9,
  mrd: 1e9,
  trillion: 1e12,
}

/**
 * Undefined if it could mean two things: "2 or 3", "10^6", or a unit other than the one that was
 * asked for, since "384 km" must never be read as 384 m.
 */
export const numberFrom = (value: unknown, unit?: string): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > longestNumber) return undefined
  const said = /^[~≈]?\s*([+−-]?)\s*(\d(?:[\d.,_'’\s]*\d)?(?:e[+-]?\d+)?)(\D*)$/i.exec(value.trim())
  if (!said) return undefined
  const [, sign, digits = '', rest = ''] = said
  const spelling = spellings.find(([pattern]) => pattern.test(digits))
  const multiple = multipleFrom(rest, unit)
  if (!spelling || multiple === undefined) return undefined
  const number = Number(spelling[1](digits)) * multiple
  return sign === '' || sign === '+' ? number : -number
}

/** What stands behind the digits: nothing, the unit, or a word such as "million" with or without it. */
const multipleFrom = (rest: string, unit: string | undefined): number | undefined => {
  const said = normalised(rest)
  if (said === '' || (unit !== undefined && said === normalised(unit))) return 1
  const [first = '', ...others] = said.split(' ')
  const multiple = multiples[first]
  if (multiple !== undefined) {
    const after = multipleFrom(others.join(' '), unit)
    return after === undefined ? undefined : multiple * after
  }
  // A single letter could be a thousand as well as a unit.
  return unit === undefined && /^\p{L}{2,}$/u.test(said) ? 1 : undefined
}

/** A tolerance as people write it: "500", "1,000", "10%". Undefined if it isn't one. */
export const toleranceFrom = (text: string): Question['tolerance'] => {
  const said = text.trim()
  const tolerance = said.endsWith('%') ? said : numberFrom(said)
  return tolerance !== undefined && isTolerance(tolerance) ? tolerance : undefined
}
