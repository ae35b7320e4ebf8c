/** Random requests made from the OpenAPI document: values that fit its schemas, and values that don't. */
import fc from 'fast-check'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const strange = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    "'; DROP TABLE sessions; --",
    '../..',
    '%',
    'null',
    '-1',
    '1e309',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const anything = fc.oneof(
  strange,
  fc.jsonValue({ maxDepth: 2 }),
  fc.double(),
  fc.constantFrom(null, 2 ** 31, -1, 1e308),
)

/** Values of a schema, and sometimes values that do not fit it. */
const valueFor = (
  schema: Schema,
  document: Document,
  known: readonly string[],
  depth = 0,
): fc.Arbitrary<unknown> => {
  const again = (inner: Schema) => valueFor(inner, document, known, depth + 1)
  const fitting = (): fc.Arbitrary<unknown> => {
    if (depth > 5) return anything
    if (schema.$ref) return again(document.components.schemas[schema.$ref.split('/').at(-1)!]!)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.const !== undefined) return fc.constant(schema.const)
    const either = schema.anyOf ?? schema.oneOf
    if (either) return fc.oneof(...either.map(again))
    if (schema.properties) {
      const fields = Object.fromEntries(
        Object.entries(schema.properties).map(([name, one]) => [name, again(one)]),
      )
      return fc.record(fields, { requiredKeys: [...(schema.required ?? [])] })
    }
    if (schema.type === 'array') return fc.array(again(schema.items ?? {}), { maxLength: 4 })
    if (schema.type === 'integer') return fc.integer({ min: -2, max: 5 })
    if (schema.type === 'number') return fc.double({ noNaN: true })
    if (schema.type === 'boolean') return fc.boolean()
    return fc.oneof(strange, fc.constantFrom(...known))
  }
  return fc.oneof({ arbitrary: fitting(), weight: 8 }, { arbitrary: anything, weight: 1 })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const encoded = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed())

export interface RandomRequest {
  readonly path: string
  readonly method: string
  readonly body?: string
  readonly type?: string
}

const requestsOf = (
  path: string,
  method: string,
  operation: Operation,
  document: Document,
  known: readonly string[],
) => {
  const parameters = operation.parameters ?? []
  const values = fc.record(
    Object.fromEntries(parameters.map(one => [one.name, valueFor(one.schema, document, known)])),
    { requiredKeys: parameters.filter(one => one.in === 'path').map(({ name }) => name) },
  )
  const content = Object.entries(operation.requestBody?.content ?? {})[0]
  const body = content
    ? fc.oneof(
        {
          arbitrary: valueFor(content[1].schema, document, known).map(value => JSON.stringify(value) ?? ''),
          weight: 6,
        },
        { arbitrary: strange, weight: 1 },
      )
    : fc.constant(undefined)
  return fc.tuple(values, body).map(([given, text]): RandomRequest => {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encoded((given as Record<string, unknown>)[name]),
    )
    const query = parameters
      .filter(one => one.in === 'query' && Object.hasOwn(given, one.name))
      .map(one => `${one.name}=${encoded((given as Record<string, unknown>)[one.name])}`)
    const sent = text === undefined ? {} : { body: text, type: content![0] }
    return { path: `${at}${query.length > 0 ? `?${query.join('&')}` : ''}`, method, ...sent }
  })
}

/** The one route that would use the network: tests do not call it with consent. */
const isLocal = (path: string): boolean => path !== '/api/house/fetch'

/** Every operation that random requests may call, with the requests that they make of it. */
export const randomRequests = (
  document: Document,
  known: readonly string[],
): readonly fc.Arbitrary<RandomRequest>[] =>
  Object.entries(document.paths)
    .filter(([path]) => isLocal(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        requestsOf(path, method, operation, document, known),
      ),
    )
