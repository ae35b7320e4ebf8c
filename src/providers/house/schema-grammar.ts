/**
 * Turns a JSON schema into a grammar (GBNF) that a local model has to follow. The engine has its own
 * converter, but with its grammars a small model may write endless blank lines after the object, or endless
 * digits, until it runs out of tokens and the reply can't be parsed.
 */

type Schema = Readonly<Record<string, unknown>>

/** For strings without a length in the schema. A higher limit makes the grammar slow. */
const longestString = 1_200
const mostItems = 12

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text as a GBNF literal. */
const literal = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')}"`

const value = (json: unknown): string => literal(JSON.stringify(json))

const common = [
  'char ::= [^"\\\\\\x00-\\x1f\\x7f] | "\\\\" ["\\\\nt]',
  // A sentence starts with a capital letter, or with a letter of a script without capitals.
  'capital ::= [^\\x00-\\x40\\x5b-\\x7f]',
  'word ::= [^"\\\\<>|{}.!?\\x00-\\x1f\\x7f]',
  'stop ::= [.!。]',
  'number ::= "-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,3})?',
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
]

/** From a capital letter to a full stop; a stop before a digit is a decimal point. */
const sentenceRule = (least: number, most: number): string =>
  `capital (word | [0-9] "." [0-9]){${Math.max(0, least - 2)},${Math.max(1, most - 2)}} stop`

/** A text and its closing quote, without the opening one. */
const textRule = ({ minLength = 0, maxLength = longestString, format }: Schema): string => {
  const [least, most] = [Number(minLength), Number(maxLength)]
  const half = Math.floor(most / 2)
  if (format === 'sentence') return `${sentenceRule(least, most)} "\\""`
  if (format === 'sentences') return `${sentenceRule(least, half)} (" " ${sentenceRule(least, half)})? "\\""`
  return `char{${least},${most}} "\\""`
}

const arrayRule = ({ items, minItems = 0, maxItems = mostItems }: Schema): string => {
  const item = rule(isSchema(items) ? items : {})
  const most = Math.max(1, Number(maxItems))
  const some = `${item} ("," ${item}){${Math.max(0, Number(minItems) - 1)},${most - 1}}`
  return Number(minItems) > 0 ? `"[" ${some} "]"` : `"[" (${some})? "]"`
}

type Field = readonly [key: string, schema: Schema]

const fieldsOf = ({ properties }: Schema): Field[] =>
  Object.entries(isSchema(properties) ? properties : {}).map(([key, one]) => [key, isSchema(one) ? one : {}])

const fieldRule = ([key, schema]: Field): string => `${literal(`${JSON.stringify(key)}:`)} ${rule(schema)}`

/** Every property is written, in the schema's order, even an optional one. */
const objectRule = (schema: Schema): string =>
  ['"{"', fieldsOf(schema).map(fieldRule).join(' "," '), '"}"'].join(' ')

const either = (choices: readonly string[]): string => `(${choices.join(' | ')})`

const typeRule = (type: unknown, schema: Schema): string => {
  switch (type) {
    case 'object':
      return objectRule(schema)
    case 'array':
      return arrayRule(schema)
    case 'number':
      return 'number'
    case 'integer':
      return 'integer'
    case 'boolean':
      return either(['"true"', '"false"'])
    case 'null':
      return '"null"'
    default:
      return `"\\"" ${textRule(schema)}`
  }
}

const rule = (schema: Schema): string => {
  if ('const' in schema) return value(schema.const)
  if (Array.isArray(schema.enum)) return either(schema.enum.map(value))
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return either(choices.filter(isSchema).map(rule))
  if (Array.isArray(schema.type)) return either(schema.type.map(type => typeRule(type, schema)))
  return typeRule(schema.type, schema)
}

/** What every value of this schema starts with, and the rule for the rest. */
const opened = (schema: Schema): readonly [start: string, rest: string] => {
  const options = schema.enum
  if (Array.isArray(options) && options.every(option => typeof option === 'string'))
    return ['"', either(options.map(option => literal(JSON.stringify(option).slice(1))))]
  return schema.type === 'string' && !options ? ['"', textRule(schema)] : ['', rule(schema)]
}

export interface GrammarForm {
  /** What every reply starts with. The model gets it as part of the prompt, because reading is faster than writing. */
  readonly start: string
  /** The grammar of the rest. */
  readonly grammar: string
}

export const formOf = (schema: Schema): GrammarForm => {
  const fields = schema.type === 'object' ? fieldsOf(schema) : []
  const firstOpen = fields.findIndex(([, field]) => !('const' in field))
  const open = fields[firstOpen]
  if (!open) return { start: '', grammar: grammarOf(rule(schema)) }
  const given = fields
    .slice(0, firstOpen)
    .map(([key, field]) => `${JSON.stringify(key)}:${JSON.stringify(field.const)},`)
  const [quote, rest] = opened(open[1])
  const others = fields.slice(firstOpen + 1).map(fieldRule)
  return {
    start: `{${given.join('')}${JSON.stringify(open[0])}:${quote}`,
    grammar: grammarOf(`${[rest, ...others].join(' "," ')} "}"`),
  }
}

const grammarOf = (root: string): string => [`root ::= ${root}`, ...common].join('\n')
