/** Blanks in the texts of a template, such as {{city}}, and what they are filled with. Without a schema: the pages fill them too. */
import { UsageError } from '../errors.ts'

const blank = /\{\{([\p{L}\p{N}_-]{1,40})\}\}/gu

/** The texts of a template that may have blanks. */
export interface BlankTexts {
  readonly question: string
  readonly options?: readonly string[]
  readonly unit?: string
  readonly instruction?: string
}

const textsOf = ({ question, options = [], unit = '', instruction = '' }: BlankTexts): string[] => [
  question,
  ...options,
  unit,
  instruction,
]

/** Their names, in the order in which they come. */
export const blanksOf = (template: BlankTexts): string[] => [
  ...new Set(textsOf(template).flatMap(text => [...text.matchAll(blank)].map(found => found[1]!))),
]

export type Fill = Readonly<Record<string, string>>

/** A blank that is an option by itself stands for a list of options. */
const isList = (option: string): boolean => /^\s*\{\{[\p{L}\p{N}_-]{1,40}\}\}\s*$/u.test(option)

/** Blanks that stand for a list of options. */
export const listBlanks = ({ options = [] }: BlankTexts): string[] =>
  options.filter(isList).flatMap(option => blanksOf({ question: option }))

/** "a|b", "a,b", or one a line. */
const itemsIn = (text: string): string[] => {
  const mark = text.includes('\n') ? '\n' : text.includes('|') ? '|' : ','
  return text
    .split(mark)
    .map(item => item.trim())
    .filter(item => item !== '')
}

const refuse = (blanks: readonly string[], fill: Fill): void => {
  const missing = blanks.filter(name => !Object.hasOwn(fill, name) || fill[name]!.trim() === '')
  if (missing.length > 0)
    throw new UsageError(`The template has blanks that are not filled in: ${missing.join(', ')}.`)
  const unknown = Object.keys(fill).find(name => !blanks.includes(name))
  if (unknown === undefined) return
  const known = blanks.length > 0 ? `It has ${blanks.join(', ')}.` : 'It has none.'
  throw new UsageError(`The template has no blank "${unknown}". ${known}`)
}

/** What is filled in is never looked at for blanks itself. Throws UsageError if one is missing or unknown. */
export const filledIn = <T extends BlankTexts>(template: T, fill: Fill): T => {
  refuse(blanksOf(template), fill)
  const filled = (text: string): string => text.replace(blank, (_, name: string) => fill[name]!.trim())
  const { question, options, unit, instruction } = template
  return {
    ...template,
    question: filled(question),
    ...(options && {
      options: options.flatMap(option => (isList(option) ? itemsIn(filled(option)) : [filled(option)])),
    }),
    ...(unit !== undefined && { unit: filled(unit) }),
    ...(instruction !== undefined && { instruction: filled(instruction) }),
  }
}
