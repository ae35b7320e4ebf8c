/** A picture and long material from the terminal and over HTTP, against a lab with a model that sees and one that doesn't. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { problemSchema } from '../../src/api/common.ts'
import { sessionSchema } from '../../src/api/sessions.ts'
import { estimateSchema } from '../../src/api/table.ts'
import { terminals } from '../command-line.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { question, startSetup } from '../server/setup.ts'
import { pngFile } from './files.ts'

const png = pngFile(64, 32)
const data = Buffer.from(png).toString('base64')
const url = `data:image/png;base64,${data}`

const facts = {
  sees: { sees: true, context: 100_000 },
  dark: { context: 100_000 },
  narrow: { context: 6_000 },
}

const callsOf = ({ calls }: Lab, model: string) => calls.filter(({ body }) => body.model === model)

const long = Array.from({ length: 2_000 }, (_, index) => `Rule ${index}: nobody may park here.`)
  .with(1_200, 'A small team may start early if it asks.')
  .join('\n')

const atTerminal = async () => {
  const lab = await startLab()
  onTestFinished(() => lab.stop())
  const { folder, run } = terminals({ ROUNDTABLE_LOCAL: 'no' })
  const endpoints = [{ id: 'lab', baseURL: lab.baseURL, models: facts }]
  writeFileSync(join(folder, 'roundtable.config.json'), JSON.stringify({ endpoints }))
  const ask = (seats: string, ...more: string[]) =>
    run(
      'ask',
      question.question,
      '--options',
      'Yes,No',
      '--protocol',
      'poll',
      '--moderator',
      'none',
      '--seats',
      seats,
      ...more,
    )
  return { lab, folder, ask }
}

test('[EV48] from the terminal: seats that see get the picture, the others are told, and the verdict says so', {
  timeout: 120_000,
}, async () => {
  const { lab, folder, ask } = await atTerminal()
  writeFileSync(join(folder, 'chart.png'), png)
  const { code, out } = await ask('lab/sees,lab/dark', '--attach', 'chart.png')
  expect(code).toBe(0)
  expect(out).toContain('[1] chart.png, 64 × 32 pixels')
  expect(out).toContain("dark probably can't see the attached pictures")
  expect(out.replace(/\s+/g, ' ')).toContain('1 of 2 seats cannot see the pictures that are attached.')
  expect(callsOf(lab, 'sees').map(({ body }) => body.pictures)).toEqual([[url]])
  const [dark] = callsOf(lab, 'dark')
  expect(dark!.body.pictures).toBeUndefined()
  expect(dark!.body.messages.at(-1)!.content).toContain(
    'A picture is attached that you cannot see: exhibit 1.',
  )
  writeFileSync(join(folder, 'huge.png'), pngFile(1, 1, { width: 30_000, height: 30_000 }))
  const refused = await ask('lab/sees', '--attach', 'huge.png')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('30000 × 30000 pixels')
})

test('[EV54] from the terminal: too long a file is refused, and --excerpts gives all seats the same passages', {
  timeout: 120_000,
}, async () => {
  const { lab, folder, ask } = await atTerminal()
  writeFileSync(join(folder, 'rules.txt'), long)
  const refused = await ask('lab/dark,lab/narrow', '--attach', 'rules.txt')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/narrow takes 6\.0k tokens.*--excerpts/s)
  expect(lab.calls.filter(({ path }) => path.endsWith('completions'))).toEqual([])
  const { code, out } = await ask('lab/dark,lab/narrow', '--attach', 'rules.txt', '--excerpts')
  expect(code).toBe(0)
  expect(out.replace(/\s+/g, ' ')).toMatch(
    /The seats read excerpts of what is attached: \d+ of \d+ passages\./,
  )
  const [one, other] = ['dark', 'narrow'].map(model => callsOf(lab, model)[0]!.body.messages.at(-1)!.content)
  expect(one).toBe(other)
  expect(one).toContain('A small team may start early if it asks.')
})

/** A server whose lab has models that are known. */
const overHttp = async () => {
  const lab = await startLab()
  onTestFinished(() => lab.stop())
  const endpoints = [{ id: 'lab', baseURL: lab.baseURL, models: facts, keyEnv: '', from: '' }]
  return { ...(await startSetup({ config: { endpoints } })), lab }
}

test('[EV48] over HTTP: the picture is read, sent, kept, shown and forked', async () => {
  const { call, ask, lab } = await overHttp()
  const id = await ask({
    seats: ['lab/sees', 'lab/dark'],
    moderator: null,
    attachments: [{ name: 'chart.png', data }],
  })
  const read = async () => sessionSchema.parse(await (await call(`/api/sessions/${id}`)).json())
  await expect.poll(async () => (await read()).outcome).toBe('verdict')
  const session = await read()
  expect(session.verdict.flags).toContain('unseen pictures')
  expect(session.seats.map(({ sees }) => sees)).toEqual([true, false])
  expect(callsOf(lab, 'sees').map(({ body }) => body.pictures)).toEqual([[url]])
  expect(callsOf(lab, 'dark')[0]!.body.pictures).toBeUndefined()
  const file = await call(`/api/sessions/${id}/files/${session.attachments[0]!.sha256}`)
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(file.headers.get('content-disposition')).toBe('attachment')
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await file.arrayBuffer()).equals(png)).toBe(true)
  const wrong = await call('/api/sessions', {
    json: { ...question, attachments: [{ name: 'chart.png', data: data.slice(0, 24) }] },
  })
  expect(wrong.status).toBe(422)
  await call(`/api/sessions/${id}/fork`, { json: {} })
  await expect.poll(() => callsOf(lab, 'sees').length).toBe(2)
  expect(callsOf(lab, 'sees')[1]!.body.pictures).toEqual([url])
})

test('[EV54] over HTTP: the estimate says what does not fit, asking refuses it, and excerpts are asked for', async () => {
  const { call } = await overHttp()
  const json = {
    ...question,
    seats: ['lab/narrow'],
    moderator: null,
    attachments: [{ name: 'rules.txt', text: long }],
  }
  const estimate = async (body: object) =>
    estimateSchema.parse(await (await call('/api/estimate', { json: body })).json())
  const { notes, excerpts } = await estimate(json)
  expect(notes.join()).toContain('narrow takes 6.0k tokens')
  expect(excerpts).toMatchObject({ wanted: false })
  const refused = await call('/api/sessions', { json })
  expect(refused.status).toBe(422)
  expect(problemSchema.parse(await refused.json())).toMatchObject({
    kind: 'too-long',
    detail: expect.stringContaining('narrow takes 6.0k tokens'),
  })
  expect((await estimate({ ...json, excerpts: true })).excerpts).toMatchObject({ wanted: true })
  const reply = await call('/api/sessions', { json: { ...json, excerpts: true } })
  expect(reply.status).toBe(201)
  const { id } = (await reply.json()) as { id: string }
  const session = sessionSchema.parse(await (await call(`/api/sessions/${id}`)).json())
  expect(session.excerpts!.given.length).toBeLessThan(session.excerpts!.of)
})

test('[EV57] a person sees the pictures of the question through their link, and no other file', async () => {
  const token = 'the-token-of-the-owner-0123456789'
  const { call } = await startSetup({ token, runs: false })
  const notes = { name: 'notes.txt', data: Buffer.from('Some notes').toString('base64') }
  const reply = await call('/api/sessions', {
    json: {
      ...question,
      people: ['Ada'],
      moderator: null,
      attachments: [notes, { name: 'chart.png', data }],
    },
    headers: { authorization: `Bearer ${token}` },
  })
  const { people } = (await reply.json()) as { people: readonly { path: string }[] }
  const link = `/api${people[0]!.path}`
  const picture = await call(`${link}/pictures/2`)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await picture.arrayBuffer()).equals(png)).toBe(true)
  expect((await call(`${link}/pictures/1`)).status).toBe(404)
  expect((await call(`${link}/pictures/3`)).status).toBe(404)
  expect((await call('/api/seat/another-link/pictures/2')).status).toBe(404)
})
