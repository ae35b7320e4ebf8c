/** Every route of the OpenAPI document, with random input. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '../../src/store/archive/archive.ts'
import { embeddedArchive } from '../../src/store/embedded.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { question, type Setup, startSetup } from './setup.ts'

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

interface Document {
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

interface Call {
  readonly path: string
  readonly method: string
  readonly body?: string
  readonly type?: string
}

const callOf = (
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
  return fc.tuple(values, body).map(([given, text]): Call => {
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

/** Everything that is stored, to see whether a refused request left a trace. */
const everything = async (archive: Archive): Promise<string> => {
  const logs = await Promise.all((await archive.list()).map(({ id }) => archive.read(id)))
  const { sessions } = await archive.find({}, { limit: 200 })
  return JSON.stringify([logs, sessions, await archive.lineups(), await archive.settings()])
}

/** A stream is closed as soon as it has begun. */
const statusOf = async ({ address }: Setup, { path, method, body, type }: Call): Promise<number> => {
  const control = new AbortController()
  const response = await fetch(`${address}${path}`, {
    method: method.toUpperCase(),
    signal: control.signal,
    ...(body !== undefined && { body, headers: { 'content-type': type! } }),
  })
  control.abort()
  return response.status
}

/** The one route that would use the network: tests do not call it with consent. */
const isLocal = (path: string): boolean => path !== '/api/house/fetch'

const fuzz = async (archive: Archive, numRuns: number): Promise<void> => {
  const setup = await startSetup({ archive, runs: false, limits: { writesPerMinute: 1_000_000 } })
  const id = await setup.ask()
  const document = (await (await setup.call('/api/openapi.json')).json()) as Document
  const known = [id, 's1', 'lab/a', 'json', 'duo', 'frontier', question.question]
  for (const [path, operations] of Object.entries(document.paths).filter(([one]) => isLocal(one)))
    for (const [method, operation] of Object.entries(operations))
      await fc.assert(
        fc.asyncProperty(callOf(path, method, operation, document, known), async call => {
          const before = await everything(archive)
          const status = await statusOf(setup, call)
          expect(status).toBeLessThan(500)
          if (status >= 400) expect(await everything(archive)).toBe(before)
        }),
        { numRuns },
      )
  expect((await setup.call('/readyz')).status).toBe(200)
  expect(setup.log()).not.toContain('A request failed.')
}

test('[H57] no input of any route makes the server fail, and a refused request leaves no trace', async () => {
  await fuzz(memoryStore(), 25)
}, 120_000)

test('[H57] the same on a database, which has its own limits for text and numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-fuzz-'))
  const archive = await embeddedArchive(folder)
  try {
    await fuzz(archive, 4)
  } finally {
    await archive.close()
    rmSync(folder, { recursive: true })
  }
}, 120_000)
