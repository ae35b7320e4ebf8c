/**
 * A JSON schema as a grammar (GBNF) that a local model cannot leave. The engine has a converter of its
 * own, but its grammars let a small model write blank lines after the object or digits without end,
 * until its tokens are spent and nothing can be parsed.
 */

type Schema = Readonly<Record<string, unknown>>

/** Strings without a length of their own; a longer bound makes the grammar slow to follow. */
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
  // A sentence begins with a capital letter, or a letter of a script that has none.
  'capital ::= [^\\x00-\\x40\\x5b-\\x7f]',
  'word ::= [^"\\\\<>|{}.!?\\x00-\\x1f\\x7f]',
  'stop ::= [.!。]',
  'number ::= "-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,3})?',
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
]

/** From a capital letter to a full stop; a stop before a digit is a decimal point. */
const sentenceRule = (least: number, most: number): string =>
  `capital (word | [0-9] "." [0-9]){${Math.max(0, least - 2)},${Math.max(1, most - 2)}} stop`

const stringRule = ({ minLength = 0, maxLength = longestString, format }: Schema): string => {
  const [least, most] = [Number(minLength), Number(maxLength)]
  const half = Math.floor(most / 2)
  if (format === 'sentence') return `"\\"" ${sentenceRule(least, most)} "\\""`
  if (format === 'sentences')
    return `"\\"" ${sentenceRule(least, half)} (" " ${sentenceRule(least, half)})? "\\""`
  return `"\\"" char{${least},${most}} "\\""`
}

const arrayRule = ({ items, minItems = 0, maxItems = mostItems }: Schema): string => {
  const item = rule(isSchema(items) ? items : {})
  const most = Math.max(1, Number(maxItems))
  const some = `${item} ("," ${item}){${Math.max(0, Number(minItems) - 1)},${most - 1}}`
  return Number(minItems) > 0 ? `"[" ${some} "]"` : `"[" (${some})? "]"`
}

/** Every property is written, in the schema's order: what is optional is left out by asking for less. */
const objectRule = ({ properties }: Schema): string => {
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(
    ([key, property]) => `${literal(`${JSON.stringify(key)}:`)} ${rule(isSchema(property) ? property : {})}`,
  )
  return ['"{"', fields.join(' "," '), '"}"'].join(' ')
}

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
      return stringRule(schema)
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

export const grammarFor = (schema: Schema): string => [`root ::= ${rule(schema)}`, ...common].join('\n')
