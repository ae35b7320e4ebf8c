/** Follow-ups, forks and templates over HTTP, on a real server. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findingsSchema, openedSchema, sessionSchema, threadSchema } from '../../src/api/sessions.ts'
import { estimateSchema, templatesSchema } from '../../src/api/table.ts'
import { exporters } from '../../src/exports/index.ts'
import { replyIn } from '../lab/table-replies.ts'
import { question, type Setup, startSetup } from './setup.ts'

const opened = async (reply: Response): Promise<string> => openedSchema.parse(await reply.json()).id
const sessionAt = async ({ call }: Setup, id: string) =>
  sessionSchema.parse(await (await call(`/api/sessions/${id}`)).json())
const detail = async (reply: Response): Promise<string> => ((await reply.json()) as { detail: string }).detail

const asks = ['Should it start in spring?', 'And if it rains?', 'Who should lead it?']

const threadOfThree = async (setup: Setup, carry?: string): Promise<string[]> => {
  const ids = [await setup.ask()]
  for (const next of asks) {
    await setup.engine.idle()
    const { format, options } = question
    const body = { question: next, format, options, after: ids.at(-1), ...(carry && { carry }) }
    ids.push(await opened(await setup.call('/api/sessions', { json: body })))
  }
  await setup.engine.idle()
  return ids
}

test('[H230] a thread of three follow-ups: same table, sealed again, and each is told what came before', async () => {
  const setup = await startSetup()
  const ids = await threadOfThree(setup)
  const last = await sessionAt(setup, ids.at(-1)!)
  expect(last.after).toMatchObject({ session: ids[2], carry: 'camps' })
  expect(last.after?.carried.map(one => one.session)).toEqual(ids.slice(0, 3))
  expect(last.after?.carried.map(one => one.question)).toEqual([question.question, asks[0], asks[1]])
  expect(last.after?.carried[0]?.camps?.length).toBeGreaterThan(0)
  expect(last.seats.map(({ model }) => model)).toEqual(question.seats)
  expect(last.rounds[0]).toMatchObject({ index: 0, sealed: true })
  const prompts = setup.lab.calls
    .map(({ body }) => body.messages.map(({ content }) => content).join('\n'))
    .filter(text => text.includes(asks[2]!))
  expect(prompts.length).toBeGreaterThanOrEqual(3)
  for (const prompt of prompts) {
    const [before = '', after = ''] = prompt.split('The question below follows on from that.')
    expect(before).toContain('what was asked before and what came of it')
    expect(before).toContain(JSON.stringify(asks[1]))
    expect(after).toContain(asks[2])
    expect(after).not.toContain(asks[1])
  }
})

test('[H231] the thread is listed as one, from any of its sessions, and stands in every export', async () => {
  const setup = await startSetup()
  const ids = await threadOfThree(setup)
  const fork = await opened(
    await setup.call(`/api/sessions/${ids[1]}/fork`, { json: { question: 'Should it start in autumn?' } }),
  )
  await setup.engine.idle()
  for (const id of [...ids, fork]) {
    const { sessions } = threadSchema.parse(await (await setup.call(`/api/sessions/${id}/thread`)).json())
    expect(sessions.map(one => [one.id, one.parent, one.link])).toEqual([
      [ids[0], null, null],
      [ids[1], ids[0], 'follow-up'],
      [ids[2], ids[1], 'follow-up'],
      [ids[3], ids[2], 'follow-up'],
      [fork, ids[1], 'fork'],
    ])
  }
  for (const { id: format } of exporters) {
    const text = await (await setup.call(`/api/sessions/${ids[1]}/export/${format}`)).text()
    for (const words of [question.question, ...asks, 'Should it start in autumn?'])
      expect(text).toContain(words)
  }
  const alone = await setup.ask()
  await setup.engine.idle()
  const { sessions } = threadSchema.parse(await (await setup.call(`/api/sessions/${alone}/thread`)).json())
  expect(sessions.map(({ id }) => id)).toEqual([alone])
})

test('[H232] nothing is carried over if the asker wants nothing, and only verdicts if they want those', async () => {
  const setup = await startSetup()
  const none = await sessionAt(setup, (await threadOfThree(setup, 'none')).at(-1)!)
  expect(none.after?.carried).toEqual([])
  const prompts = setup.lab.calls.map(({ body }) => JSON.stringify(body.messages))
  expect(prompts.some(text => text.includes('what came of it'))).toBe(false)
  const verdict = await sessionAt(setup, (await threadOfThree(setup, 'verdict')).at(-1)!)
  expect(verdict.after?.carried).toHaveLength(3)
  for (const one of verdict.after!.carried) {
    expect(one.line).toMatch(/\d/)
    expect(one).not.toHaveProperty('camps')
    expect(one).not.toHaveProperty('dissent')
  }
})

test('[H233] a follow-up to nothing, or to a session that runs, is refused with what to do', async () => {
  const setup = await startSetup({ runs: false })
  const running = await setup.ask()
  const after = async (id: string): Promise<string> =>
    detail(await setup.call('/api/sessions', { json: { ...question, after: id } }))
  expect(await after(running)).toContain('is still running')
  expect(await after('nobody')).toContain('There is no session "nobody"')
  const carried = await setup.call('/api/sessions', { json: { ...question, carry: 'camps' } })
  expect(await detail(carried)).toContain('name the session')
})

test('[H234] a fork at a round over HTTP makes only the calls after it; a fork from the start asks anew', async () => {
  const setup = await startSetup({ lab: { handler: replyIn } })
  const seatsOf = (...places: number[]) => places.map(place => `lab/split-m${place}`)
  const id = await setup.ask({
    ...{ protocol: 'roundtable', rounds: 2, options: ['Rail', 'Road'], seats: seatsOf(1, 2, 3) },
    moderator: 'lab/split-moderator',
  })
  await setup.engine.idle()
  const before = setup.lab.calls.length
  const seats = seatsOf(1, 2, 8)
  const reply = await setup.call(`/api/sessions/${id}/fork`, { json: { at: 1, seats } })
  expect(reply.status).toBe(201)
  const fork = await opened(reply)
  await setup.engine.idle()
  const models = setup.lab.calls.slice(before).map(({ body }) => body.model)
  expect(models.filter(model => /-m\d$/.test(model)).sort()).toEqual(['split-m1', 'split-m2', 'split-m8'])
  const [one, other] = [await sessionAt(setup, id), await sessionAt(setup, fork)]
  expect(other.forkedFrom).toEqual({ session: id, round: 1 })
  expect(
    other.rounds.slice(0, 2).map(round => round.answers.map(({ seat, status }) => [seat, status])),
  ).toEqual(one.rounds.slice(0, 2).map(round => round.answers.map(({ seat, status }) => [seat, status])))
  expect(Date.parse(other.openedAt)).toBeGreaterThan(Date.parse(one.openedAt))
  const refused = await setup.call(`/api/sessions/${id}/fork`, { json: { at: 9 } })
  expect(refused.status).toBe(422)
  expect(await detail(refused)).toContain('not a closed round')
  const again = await opened(await setup.call(`/api/sessions/${id}/fork`, { json: { protocol: 'poll' } }))
  await setup.engine.idle()
  expect((await sessionAt(setup, again)).forkedFrom).toEqual({ session: id })
})

test('[H237] a fork is estimated before it is made: nothing is opened, and less is asked from a closed round on', async () => {
  const setup = await startSetup({ lab: { handler: replyIn } })
  const id = await setup.ask({
    ...{ protocol: 'roundtable', rounds: 2, options: ['Rail', 'Road'] },
    seats: ['lab/split-m1', 'lab/split-m2', 'lab/split-m3'],
  })
  await setup.engine.idle()
  const before = setup.lab.calls.length
  const estimate = (json: object) => setup.call(`/api/sessions/${id}/fork/estimate`, { json })
  const figures = async (json: object) => estimateSchema.parse(await (await estimate(json)).json())
  const [whole, late] = [await figures({}), await figures({ at: 1 })]
  for (const figure of ['calls', 'inputTokens', 'outputTokens'] as const) {
    expect(late[figure].high).toBeGreaterThan(0)
    expect(late[figure].high).toBeLessThan(whole[figure].high)
  }
  const refused = await estimate({ at: 9 })
  expect([refused.status, await detail(refused)]).toEqual([
    422,
    expect.stringContaining('not a closed round'),
  ])
  expect(setup.lab.calls.length).toBe(before)
  const { sessions } = findingsSchema.parse(await (await setup.call('/api/sessions')).json())
  expect(sessions.map(one => one.id)).toEqual([id])
})

test('[H235] templates are listed, saved as files of the data folder, asked with their blanks, and deleted', async () => {
  const setup = await startSetup()
  const { call, reach } = setup
  const list = async () => templatesSchema.parse(await (await call('/api/templates')).json())
  const names = (await list()).templates.map(({ name }) => name)
  for (const name of [
    'decide',
    'check a claim',
    'premortem',
    'compare options',
    'estimate a number',
    'letter to a successor',
  ])
    expect(names).toContain(name)
  const template = {
    question: 'Should {{who}} move to {{city}}?',
    format: 'choice',
    options: ['{{answers}}'],
    seats: [{ model: 'lab/a', brief: 'Doubt everything.' }, 'lab/b'],
    protocol: 'poll',
  }
  expect((await call('/api/templates/moving', { method: 'PUT', json: template })).status).toBe(204)
  const file = join(reach.config.data, 'templates', 'moving.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(template)
  expect((await list()).templates[0]).toMatchObject({
    name: 'moving',
    origin: 'saved',
    blanks: ['who', 'city', 'answers'],
  })
  const fill = { who: 'Ada', city: '{{who}}', answers: 'Yes, No' }
  const id = await opened(await call('/api/sessions', { json: { template: 'moving', fill } }))
  await setup.engine.idle()
  const session = await sessionAt(setup, id)
  expect(session).toMatchObject({
    question: 'Should Ada move to {{who}}?',
    options: ['Yes', 'No'],
    protocol: 'poll',
  })
  expect(session.seats[0]).toMatchObject({ model: 'lab/a', brief: 'Doubt everything.' })
  const missing = await call('/api/sessions', { json: { template: 'moving', fill: { who: 'Ada' } } })
  expect(missing.status).toBe(422)
  expect(await detail(missing)).toContain('not filled in: city, answers')
  expect((await call('/api/templates/moving', { method: 'DELETE' })).status).toBe(204)
  expect(existsSync(file)).toBe(false)
  expect((await call('/api/templates/decide', { method: 'DELETE' })).status).toBe(404)
})

test('[H236] a file that is no template is told as such, and a name cannot leave the folder', async () => {
  const { call, reach } = await startSetup()
  expect((await call('/api/templates/good', { method: 'PUT', json: { question: 'Why?' } })).status).toBe(204)
  writeFileSync(join(reach.config.data, 'templates', 'bad.json'), '{"question": 5}')
  const { problems } = templatesSchema.parse(await (await call('/api/templates')).json())
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^bad\.json: .*question/)
  for (const name of ['..%2Fsettings', '.hidden', 'a%2Fb', 'a.b']) {
    const { status } = await call(`/api/templates/${name}`, { method: 'PUT', json: { question: 'Why?' } })
    expect([400, 404, 422]).toContain(status)
  }
})
