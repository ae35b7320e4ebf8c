/** Wrong input to every tool, resource and prompt, and to every route under /v1: refused in words, and nothing is written. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  askTableSchema,
  chatBodySchema,
  findSessionsSchema,
  listModelsSchema,
  responsesBodySchema,
  showSessionSchema,
  takeSeatSchema,
  waitForTableSchema,
} from '../../src/api/doors.ts'
import type { Service } from '../../src/http/service.ts'
import { openAIRoutes } from '../../src/openai/server.ts'
import { startSetup } from '../server/setup.ts'
import { overHTTP } from './clients.ts'

/** What a field may get: of the right type, of a wrong one, or absurd. As JSON, so that it is the same on the wire. */
const anything = fc
  .oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom('', '\0', '../..', '__proto__', 'x'.repeat(5_000), null, true, -1, 1e308, 99, 0.5),
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 5 }), fc.anything({ maxDepth: 2, withNullPrototype: false }), {
      maxKeys: 3,
    }),
  )
  .map(value => JSON.parse(JSON.stringify(value)) as unknown)

interface Form {
  readonly schema: z.ZodObject
  /** Right in itself. */
  readonly right: object
}

/** A right request with one wrong field. */
const wrongRequests = ({ schema, right }: Form, fields: readonly string[]) =>
  fc
    .constantFrom(...fields)
    .chain(field => anything.map(value => ({ field, input: { ...right, [field]: value } as object })))
    .filter(({ input }) => !schema.safeParse(input).success)

/** Nothing of it fits. */
const absurdRequests = (fields: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...fields, 'unknown'), anything, { maxKeys: fields.length })

const question = 'Should a small team start early?'
const settings = {
  ...{ runs: false, limits: { writesPerMinute: 1_000_000 } },
  config: { seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m' },
}
const trace = /at file:|node_modules|\.ts:\d/

test('[MCP6] wrong arguments of every tool are refused in words and write nothing', {
  timeout: 120_000,
}, async () => {
  const { address, archive, ask, call } = await startSetup(settings)
  const id = await ask({ question, people: [{ name: 'Host', program: true }] })
  const before = await archive.read(id)
  const forms: Readonly<Record<string, Form>> = {
    ask_table: { schema: askTableSchema, right: { question, wait: 0 } },
    wait_for_table: { schema: waitForTableSchema, right: { id, wait: 0 } },
    take_seat: { schema: takeSeatSchema, right: { id, round: 9, answer: {}, wait: 0 } },
    show_session: { schema: showSessionSchema, right: { id } },
    find_sessions: { schema: findSessionsSchema, right: {} },
    list_models: { schema: listModelsSchema, right: {} },
  }
  const client = await overHTTP['client 2 over HTTP'](address)
  const { tools } = await client.raw.listTools()
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(forms))
  const refused = async (name: string, input: object): Promise<string> => {
    const reply = await client.call(name, input).catch((error: Error) => error)
    if (reply instanceof Error) return reply.message
    expect([name, input, reply.isError]).toEqual([name, input, true])
    return reply.content[0]!.text!
  }
  for (const { name, inputSchema } of tools) {
    const fields = Object.keys(inputSchema.properties as object)
    expect(fields).toEqual(Object.keys(forms[name]!.schema.shape))
    await fc.assert(
      fc.asyncProperty(wrongRequests(forms[name]!, [...fields, 'unknown']), async ({ input }) => {
        const words = await refused(name, input)
        expect(words.length).toBeGreaterThan(5)
        expect(words).not.toMatch(trace)
      }),
      { numRuns: fields.length * 6 },
    )
    await fc.assert(
      fc.asyncProperty(
        absurdRequests(fields).filter(input => !forms[name]!.schema.safeParse(input).success),
        async input => {
          expect(await refused(name, input)).not.toMatch(trace)
        },
      ),
      { numRuns: 15 },
    )
  }
  await fc.assert(
    fc.asyncProperty(fc.webUrl(), fc.string({ maxLength: 30 }), async (url, text) => {
      for (const uri of [url, text, `roundtable://sessions/${text}`, `ui://roundtable/sessions/${text}`]) {
        const reply = await client.raw.readResource({ uri }).catch((error: Error) => error.message)
        expect(JSON.stringify(reply)).not.toMatch(trace)
      }
      await expect(client.raw.getPrompt({ name: text, arguments: {} })).rejects.toThrow()
      const about = { [text]: text }
      await expect(client.raw.getPrompt({ name: 'council', arguments: about })).rejects.toThrow(/about/)
    }),
    { numRuns: 15 },
  )
  expect((await archive.find({}, { limit: 10 })).sessions.map(one => one.id)).toEqual([id])
  expect(await archive.read(id)).toEqual(before)
  expect((await call('/healthz')).status).toBe(200)
})

test('[OC4] wrong input to every route gets an error of OpenAI’s form and writes nothing', {
  timeout: 120_000,
}, async () => {
  const { archive, call } = await startSetup(settings)
  const forms: Readonly<Record<string, Form>> = {
    '/v1/chat/completions': {
      schema: chatBodySchema,
      right: { model: 'roundtable', messages: [{ role: 'user', content: question }] },
    },
    '/v1/responses': { schema: responsesBodySchema, right: { model: 'roundtable', input: question } },
  }
  const wrong = async (path: string, init: object): Promise<{ param?: string | null }> => {
    const reply = await call(path, init)
    expect([path, init, reply.status >= 400 && reply.status < 500]).toEqual([path, init, true])
    const { error } = (await reply.json()) as { error: { message: string; param?: string | null } }
    expect(error).toMatchObject({ message: expect.any(String), type: expect.any(String) })
    expect(error.message).not.toMatch(trace)
    return error
  }
  for (const [path, form] of Object.entries(forms)) {
    const fields = Object.keys(form.schema.shape)
    await fc.assert(
      fc.asyncProperty(wrongRequests(form, fields), async ({ field, input }) => {
        expect((await wrong(path, { json: input })).param).toMatch(new RegExp(`^${field}\\b`))
      }),
      { numRuns: fields.length * 10 },
    )
    await fc.assert(
      fc.asyncProperty(
        absurdRequests(fields).filter(input => !form.schema.safeParse(input).success),
        async input => void (await wrong(path, { json: input })),
      ),
      { numRuns: 30 },
    )
    await wrong(path, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } })
  }
  const named = fc.string({ minLength: 1, maxLength: 30 }).map(encodeURIComponent)
  const gets = ['/v1/models/', '/v1/responses/', '/v1/nothing/']
  await fc.assert(
    fc.asyncProperty(named, async name => {
      for (const path of gets) await wrong(`${path}x${name}`, {})
      await wrong(`/v1/responses/x${name}/cancel`, { json: {} })
      await wrong(`/v1/responses/x${name}`, { method: 'DELETE' })
    }),
    { numRuns: 20 },
  )
  // A new route needs its place above. The list of models takes no input.
  expect(openAIRoutes({} as Service).routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/models',
    'GET /v1/models/:name{.+}',
    'POST /v1/chat/completions',
    'POST /v1/responses',
    'GET /v1/responses/:id',
    'POST /v1/responses/:id/cancel',
    'ALL /v1/*',
  ])
  expect((await archive.find({}, { limit: 10 })).sessions).toEqual([])
})
