/** A question is sharpened in the same way, whichever way it comes in. */

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRoundtable } from '../../src/library/index.ts'
import { scripted } from '../../src/models/scripted.ts'
import { SharpeningFailed } from '../../src/run/runtime.ts'
import { terminals } from '../command-line.ts'
import { cleanEnvironment } from '../environment/clean.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { hasTerminal, inTerminal } from '../real-terminal.ts'
import { startSetup } from '../server/setup.ts'

const question = 'Is the town big?'
const sharpened = {
  unclear: 'Big in what?',
  wordings: [
    { settles: 'the measure', wording: 'Has the town more than 50,000 people?' },
    { settles: 'the comparison', wording: 'Is the town among the ten largest of its country?' },
  ],
}
const proposals = { moderator: 'lab/moderator', ...sharpened }
const used = { inputTokens: expect.any(Number), outputTokens: expect.any(Number), costUsd: null }
const asked = { question, seats: ['lab/a', 'lab/b'], moderator: 'lab/moderator', protocol: 'poll' }
const flags = ['--seats', 'lab/a,lab/b', '--moderator', 'lab/moderator', '--protocol', 'poll']
const patience = { timeout: 120_000 }

let lab: Lab
beforeAll(async () => {
  lab = await startLab({
    handler: ({ body }) => {
      const name = body.response_format?.json_schema?.name
      if (name === 'sharpen') return body.model === 'idle' ? 'No.' : sharpened
      return { reasoning: 'So.', headline: 'Yes', confidence: 0.8, kind: 'fact' }
    },
  })
})
afterAll(() => lab.stop())

const endpoints = () => ({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
const library = () => createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], env: {} })

test('[A21] in the library', async () => {
  const before = lab.calls.length
  expect(await library().sharpen(asked)).toEqual({ ...proposals, usage: expect.objectContaining(used) })
  expect(lab.calls.slice(before).map(({ body }) => body.model)).toEqual(['moderator'])
})

test('[A21] over HTTP, and no session is opened', async () => {
  const { call, archive } = await startSetup({ lab: { handler: () => sharpened } })
  const reply = await call('/api/sharpen', { json: asked })
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ ...proposals, usage: used })
  expect(await archive.list()).toEqual([])
})

test('[A21] [T131] in a pipe the proposals are printed, and nothing is asked', patience, async () => {
  const { run } = terminals(endpoints())
  const { code, out, err } = await run('ask', question, ...flags, '--sharpen')
  expect([code, err]).toEqual([0, ''])
  for (const { settles, wording } of sharpened.wordings) {
    expect(out).toContain(wording)
    expect(out).toContain(`Settles: ${settles}`)
  }
  expect(out).toMatch(/By lab\/moderator: .*\d+ tokens? in, \d+ out, cost unknown\./)
  expect(out).toContain('The table was not asked. To ask one of these: roundtable ask')
  expect((await run('sessions')).out).not.toContain(question)
})

test('[A21] [T131] as JSON, here and through a server that holds the archive', patience, async () => {
  const { run, start } = terminals(endpoints())
  const printed = async () => JSON.parse((await run('ask', question, ...flags, '--sharpen', '--json')).out)
  expect(await printed()).toMatchObject({ ...proposals, usage: used })
  const server = start(['serve', '--port', '0'])
  await server.wrote(/Roundtable is at (http:\S+)/)
  expect(await printed()).toMatchObject({ ...proposals, usage: used })
  server.child.kill('SIGTERM')
  await server.done
})

test('[A22] without a moderator, or if it fails, the message says what to do', patience, async () => {
  const { run } = terminals(endpoints())
  const nobody = await run('ask', question, '--seats', 'lab/a,lab/b', '--moderator', 'none', '--sharpen')
  expect(nobody.code).toBe(2)
  expect(nobody.err).toContain('this table has no moderator')
  expect(nobody.err).toContain('--moderator')
  const idle = { ...asked, moderator: 'lab/idle' }
  await expect(library().sharpen(idle)).rejects.toThrow(SharpeningFailed)
  await expect(library().sharpen(idle)).rejects.toThrow(
    /lab\/idle could not sharpen the question.*Ask it as it is/s,
  )
  const { call } = await startSetup({ lab: { handler: () => 'No.' } })
  expect((await call('/api/sharpen', { json: asked })).status).toBe(502)
  expect((await call('/api/sharpen', { json: { ...asked, moderator: null } })).status).toBe(422)
})

test('[A22] a very small moderator is not asked', async () => {
  const voice = scripted(() => expect.fail('It was asked.'))
  const small = { ...voice, known: () => ({ small: true as const }) }
  const seats = ['scripted/a', 'scripted/b']
  const { sharpen } = createRoundtable({ providers: [small], env: {} })
  await expect(sharpen({ question, seats, moderator: 'scripted/m' })).rejects.toThrow(
    /m is too small to sharpen/,
  )
})

test.runIf(hasTerminal)(
  '[T132] at a terminal the person takes a wording, or keeps their own',
  patience,
  async () => {
    const { folder } = terminals()
    const env = { ...cleanEnvironment(folder), ROUNDTABLE_DATA: join(folder, 'data'), ...endpoints() }
    const words = `ask '${question}' ${flags.join(' ')} --sharpen`
    const take = await inTerminal(
      words,
      [
        [/Which question/, '\x1b[B\r'],
        [/Press Enter/, '\r'],
      ],
      { cwd: folder, env },
    )
    expect(take.code).toBe(0)
    expect(
      lab.calls
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .join(),
    ).toContain('ten largest')
    const keep = await inTerminal(words, [[/Which question/, '\x1b[A\r']], { cwd: folder, env })
    expect(keep.code).toBe(0)
    const last = lab.calls
      .at(-1)
      ?.body.messages.map(({ content }) => content)
      .join()
    expect(last).toContain(question)
    expect(last).not.toContain('ten largest')
  },
)
