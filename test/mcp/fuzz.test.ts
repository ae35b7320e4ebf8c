/** Random arguments for every tool and random bodies for every route of the two faces: refused in words, nothing opened. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startSetup } from '../server/setup.ts'
import { overHTTP } from './clients.ts'

/** What a field of a schema may get: of the right type, of a wrong one, or absurd. */
const anything = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('', '\0', '../..', '__proto__', 'x'.repeat(5_000), null, true, -1, 1e308, 99),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.anything({ maxDepth: 2, withNullPrototype: false }), {
    maxKeys: 3,
  }),
)

const fieldsFor = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names, 'unknown'), anything, { maxKeys: names.length })

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')

test('[MCP6] random arguments of every tool crash nothing and open nothing', {
  timeout: 120_000,
}, async () => {
  const { address, archive, call } = await startSetup({ runs: false, config: { seats: [] } })
  const client = await overHTTP['client 2 over HTTP'](address)
  const { tools } = await client.raw.listTools()
  const asked = fc
    .constantFrom(...tools)
    .chain(({ name, inputSchema }) =>
      fieldsFor(Object.keys((inputSchema.properties ?? {}) as object)).map(input => ({ name, input })),
    )
  await fc.assert(
    fc.asyncProperty(asked, async ({ name, input }) => {
      const reply = await client.call(name, plain(input) as object).catch((error: Error) => error.message)
      expect(JSON.stringify(reply)).not.toMatch(/at file:|node_modules/)
    }),
    { numRuns: 150 },
  )
  expect((await archive.find({}, { limit: 10 })).sessions).toEqual([])
  expect((await call('/healthz')).status).toBe(200)
})

test('[OC4] random bodies of every route get an error of OpenAI’s form', { timeout: 120_000 }, async () => {
  const { archive, call } = await startSetup({ runs: false, config: { seats: [] } })
  const names = [
    'model',
    'messages',
    'input',
    'stream',
    'roundtable',
    'response_format',
    'text',
    'n',
    'tool_choice',
    'previous_response_id',
    'background',
  ]
  const routes = fc.constantFrom(
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/responses/x/cancel',
    '/v1/nothing',
  )
  await fc.assert(
    fc.asyncProperty(routes, fieldsFor(names), async (path, body) => {
      const reply = await call(path, { json: plain(body) })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
      expect(await reply.json()).toMatchObject({
        error: { message: expect.any(String), type: expect.any(String) },
      })
    }),
    { numRuns: 150 },
  )
  expect((await archive.find({}, { limit: 10 })).sessions).toEqual([])
})
