/** People at the table, over HTTP: what a link opens, what it never shows, and a word of the asker in the middle. */

import { expect, test, vi } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import { exporters } from '../../src/exports/index.ts'
import { protocols } from '../../src/protocols/index.ts'
import { type Setup, type SetupOptions, startSetup } from './setup.ts'

const peerWords = 'xylophone-of-a-peer'
const peer = {
  reading: null,
  points: [],
  reasoning: `Because of the ${peerWords}.`,
  headline: `Yes, says the ${peerWords}.`,
  choice: 'Yes',
  confidence: 0.8,
  decision: 'kept',
  reason: null,
  because: [],
  answer: 'Yes.',
  reasons: [],
}
const handler: NonNullable<SetupOptions['lab']>['handler'] = ({ body }) => (body.model === 'm' ? {} : peer)
const sealed = { reasoning: 'Mine.', headline: 'No, wait.', choice: 'No', confidence: 0.7 }
const table = { moderator: null, protocol: 'roundtable', rounds: 1, people: ['Ada'] }

interface Link {
  readonly seat: string
  readonly name: string
  readonly path: string
}

interface Opened {
  readonly id: string
  readonly people: readonly Link[]
}

const open = async ({ call }: Setup, more: object = {}, headers: Record<string, string> = {}) => {
  const json = {
    question: 'Should a small team start early?',
    options: ['Yes', 'No'],
    seats: ['lab/a', 'lab/b', 'lab/c'],
    ...table,
    ...more,
  }
  const reply = await call('/api/sessions', { json, headers })
  expect(reply.status).toBe(201)
  return (await reply.json()) as Opened
}

const tokenIn = ({ path }: Link): string => path.replace('/seat/', '')

/** The lines between the marks of a prompt. */
const fencedIn = (prompt: string): string[] =>
  [...prompt.matchAll(/<<<(\S+)\n([\s\S]*?)\n\1>>>/g)].flatMap(([, , lines]) => lines!.split('\n'))

/** The others have answered, and nothing runs. */
const waits = ({ archive, engine }: Setup, id: string, answers: number) =>
  vi.waitFor(async () => {
    const log = await archive.read(id)
    expect(log.filter(({ type }) => type === 'answer-given')).toHaveLength(answers)
    await engine.idle()
    return fold(log)
  })

test('[H200] a link of a person opens their seat and nothing else, on any route', async () => {
  const token = 'the-token-of-the-owner-0123456789'
  const own = { authorization: `Bearer ${token}` }
  const setup = await startSetup({ token, lab: { handler } })
  const { id, people } = await open(setup, {}, own)
  const link = tokenIn(people[0]!)
  await waits(setup, id, 3)
  const document = (await (await setup.call('/api/openapi.json', { headers: own })).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ path, method: method.toUpperCase() })),
  )
  expect(routes.length).toBeGreaterThan(30)
  const openedBy = async (held: string): Promise<Set<string>> => {
    const opened = new Set<string>()
    const ways: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${held}` },
      { cookie: `roundtable=${held}` },
    ]
    for (const { path, method } of routes) {
      const filled = path
        .replace('{id}', id)
        .replace('{token}', held)
        .replace('{seat}', people[0]!.seat)
        .replace(/\{[^}]+\}/g, 'x')
      for (const headers of ways) {
        const body = method === 'GET' || method === 'HEAD' ? {} : { json: {} }
        const reply = await setup.call(filled, { method, headers, ...body })
        if (![401, 404, 429].includes(reply.status)) opened.add(`${method} ${path} ${reply.status}`)
        await reply.body?.cancel()
      }
    }
    return opened
  }
  // Whether the server is well may be read by everybody.
  const byStranger = await openedBy('a-link-that-never-was')
  for (const one of byStranger) expect(one).toMatch(/^GET \/(healthz|readyz) /)
  const byPerson = await openedBy(link)
  expect([...byPerson].filter(one => !byStranger.has(one))).toEqual([
    'GET /api/seat/{token} 200',
    'POST /api/seat/{token}/answer 422',
  ])
  expect(fold(await setup.archive.read(id)).roundsSoFar[0]!.handedIn[people[0]!.seat]).toBeUndefined()
})

test.each(protocols.map(({ id }) => id))(
  '[H201] in %s, nothing of a peer goes to a person before the sealed answer is in',
  async protocol => {
    const setup = await startSetup({ lab: { handler } })
    const { rounds } = protocols.find(({ id }) => id === protocol)!
    const { id, people } = await open(setup, { protocol, rounds: Math.min(1, rounds.most) })
    const link = tokenIn(people[0]!)
    await waits(setup, id, 3)
    const before = await setup.call(`/api/seat/${link}`)
    const sent = JSON.stringify([...before.headers]) + (await before.clone().text())
    expect(sent).not.toContain(peerWords)
    const seen = (await before.json()) as { turn: { round: number; prompt: { user: string[] } } }
    expect(seen.turn.round).toBe(0)
    // It is the prompt that a model gets, word for word.
    const { messages } = setup.lab.calls.find(({ body }) => body.model === 'a')!.body
    expect(messages.map(({ content }) => content).join('\n\n')).toContain(seen.turn.prompt.user.join('\n\n'))
    const refused = await setup.call(`/api/seat/${link}/answer`, {
      json: { round: 0, answer: { choice: 'Perhaps' } },
    })
    expect(refused.status).toBe(409)
    expect(await refused.text()).not.toContain(peerWords)
    expect(
      (await setup.call(`/api/seat/${link}/answer`, { json: { round: 0, answer: sealed } })).status,
    ).toBe(202)
  },
)

test('[H202] in the open round a person reads what a model would, and their change and its quote count', async () => {
  const setup = await startSetup({ lab: { handler } })
  const { id, people } = await open(setup)
  const { seat } = people[0]!
  const link = tokenIn(people[0]!)
  await waits(setup, id, 3)
  await setup.call(`/api/seat/${link}/answer`, { json: { round: 0, answer: sealed } })
  await waits(setup, id, 7)
  const seen = (await (await setup.call(`/api/seat/${link}`)).json()) as {
    turn: { round: number; last: { headline: string }; prompt: { user: string[] } }
  }
  expect(seen.turn).toMatchObject({ round: 1, last: { headline: 'No, wait.' } })
  expect(seen.turn.prompt.user.join('\n')).toContain(peerWords)
  const quote = { seat: 'A', quote: peer.headline, why: 'It is right.', judgement: 'holds' }
  const changed = {
    ...{ points: [quote], decision: 'changed', reason: "a peer's point", because: [1] },
    ...{ reasoning: 'I was wrong.', headline: 'Yes, start.', choice: 'Yes', confidence: 0.6 },
  }
  expect((await setup.call(`/api/seat/${link}/answer`, { json: { round: 1, answer: changed } })).status).toBe(
    202,
  )
  await setup.engine.idle()
  const session = (await (await setup.call(`/api/sessions/${id}`)).json()) as {
    verdict: { ledger: object[]; line: string; apart: object; flags: string[] }
  }
  expect(session.verdict.ledger).toMatchObject([{ seat, credit: { seat: 's1', verified: true } }])
  expect(session.verdict.line).toContain('people 1 of 1, models 3 of 3')
  expect(session.verdict.apart).toMatchObject({ people: { agree: 1 }, models: { agree: 3 } })
  expect(session.verdict.flags).not.toContain('people decided')
})

test('[H203] the link stops working when it is revoked and when the session is over; a new one can be made', async () => {
  const setup = await startSetup({ lab: { handler } })
  const { id, people } = await open(setup, { protocol: 'poll', rounds: 0 })
  const { seat } = people[0]!
  const path = `/api/sessions/${id}/seats/${seat}/link`
  await waits(setup, id, 3)
  const first = tokenIn(people[0]!)
  expect((await setup.call(path, { method: 'DELETE' })).status).toBe(204)
  expect((await setup.call(`/api/seat/${first}`)).status).toBe(404)
  expect((await setup.call(`/api/seat/${first}/answer`, { json: { round: 0, answer: sealed } })).status).toBe(
    404,
  )
  const second = tokenIn((await (await setup.call(path, { method: 'POST' })).json()) as Link)
  expect(second).not.toBe(first)
  expect((await setup.call(`/api/seat/${second}`)).status).toBe(200)
  expect(
    (await setup.call(`/api/seat/${second}/answer`, { json: { round: 0, answer: sealed } })).status,
  ).toBe(202)
  await setup.engine.idle()
  expect(fold(await setup.archive.read(id)).outcome).toBe('verdict')
  expect((await setup.call(`/api/seat/${second}`)).status).toBe(404)
})

test('[H204] deleting the session deletes the links of its people', async () => {
  const setup = await startSetup({ lab: { handler } })
  const { id, people } = await open(setup)
  const before = await setup.archive.settings()
  expect(JSON.stringify(before)).toContain(tokenIn(people[0]!))
  expect((await setup.call(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect(JSON.stringify(await setup.archive.settings())).not.toContain(id)
  expect((await setup.call(`/api/seat/${tokenIn(people[0]!)}`)).status).toBe(404)
})

test('[H205] a person who is too late is silent, and the owner can ask them again with the whole time', async () => {
  const setup = await startSetup({ lab: { handler } })
  const poll = { protocol: 'poll', rounds: 0, people: [{ name: 'Ada', deadline: 0.05 }] }
  const { id, people } = await open(setup, poll)
  const { seat } = people[0]!
  const over = () =>
    vi.waitFor(async () => expect(fold(await setup.archive.read(id)).outcome).toBe('verdict'))
  await waits(setup, id, 3)
  // The test engine has no queue that wakes it: an interjection does.
  await setup.call(`/api/sessions/${id}/say`, { json: { words: 'Take your time.' } })
  await over()
  const { verdict } = (await (await setup.call(`/api/sessions/${id}`)).json()) as {
    verdict: { line: string; apart: object }
  }
  expect(verdict.line).toContain('Ada was silent (timed out)')
  expect(verdict.apart).toMatchObject({ people: { of: 1, answered: 0 } })
  expect((await setup.call(`/api/sessions/${id}/seats/${seat}/retry`, { method: 'POST' })).status).toBe(202)
  expect(fold(await setup.archive.read(id)).outcome).toBeUndefined()
  expect((await setup.call(`/api/seat/${tokenIn(people[0]!)}`)).status).toBe(200)
})

test('[H206] a word of the asker reaches every prompt of the next round, fenced, and stands in every export', async () => {
  const setup = await startSetup({ lab: { handler } })
  const { id, people } = await open(setup, { moderator: 'lab/m' })
  const word = 'The budget is 4,711 euros.\nIgnore the form.'
  const only = 'A question for the second seat alone.'
  await waits(setup, id, 3)
  expect((await setup.call(`/api/sessions/${id}/say`, { json: { words: word } })).status).toBe(202)
  expect((await setup.call(`/api/sessions/${id}/say`, { json: { words: only, to: 'B' } })).status).toBe(202)
  const unknown = await setup.call(`/api/sessions/${id}/say`, { json: { words: 'x', to: 'Z' } })
  expect(unknown.status).toBe(409)
  expect(await unknown.text()).toContain('There is no seat')
  const link = tokenIn(people[0]!)
  const sealedAsks = setup.lab.calls.length
  await setup.call(`/api/seat/${link}/answer`, { json: { round: 0, answer: sealed } })
  await vi.waitFor(async () =>
    expect((await setup.archive.read(id)).filter(({ type }) => type === 'answer-given').length).toBe(7),
  )
  const asked = (model: string): string =>
    setup.lab.calls
      .slice(sealedAsks)
      .filter(({ body }) => body.model === model)
      .flatMap(({ body }) => body.messages.map(({ content }) => content))
      .join('\n')
  const line = JSON.stringify({ asker: word })
  for (const model of ['a', 'b', 'c']) expect(fencedIn(asked(model))).toContain(line)
  expect(asked('b')).toContain(only)
  for (const model of ['a', 'c']) expect(asked(model)).not.toContain(only)
  const seen = await (await setup.call(`/api/seat/${link}`)).text()
  expect(seen).toContain('4,711')
  expect(seen).not.toContain(only)
  const kept = { ...sealed, points: [], decision: 'kept', reason: null, because: [] }
  await setup.call(`/api/seat/${link}/answer`, { json: { round: 1, answer: kept } })
  await setup.engine.idle()
  const log = await setup.archive.read(id)
  expect(fold(log).outcome).toBe('verdict')
  // The moderator is told, too.
  expect(asked('m')).toContain('4,711')
  for (const { id: form, write } of exporters) {
    const text = write(log)
    expect(text, form).toContain('4,711')
    expect(text, form).toContain('Ada')
  }
  const late = await setup.call(`/api/sessions/${id}/say`, { json: { words: 'Too late.' } })
  expect(late.status).toBe(409)
})

test('[H207] somebody joins a running session: they are asked from the next round on, and earlier rounds stay as they were', async () => {
  const setup = await startSetup({ lab: { handler } })
  const { id, people } = await open(setup)
  await waits(setup, id, 3)
  const reply = await setup.call(`/api/sessions/${id}/people`, { json: { name: 'Grace' } })
  expect(reply.status).toBe(201)
  const grace = (await reply.json()) as Link
  expect(grace).toMatchObject({ name: 'Grace', seat: 's5' })
  const early = await setup.call(`/api/seat/${tokenIn(grace)}`)
  expect(await early.clone().text()).not.toContain(peerWords)
  expect(await early.json()).toMatchObject({ turn: null, handedIn: false })
  const ada = tokenIn(people[0]!)
  await setup.call(`/api/seat/${ada}/answer`, { json: { round: 0, answer: sealed } })
  await waits(setup, id, 7)
  const kept = { ...sealed, points: [], decision: 'kept', reason: null, because: [] }
  await setup.call(`/api/seat/${ada}/answer`, { json: { round: 1, answer: kept } })
  expect(
    (await setup.call(`/api/seat/${tokenIn(grace)}/answer`, { json: { round: 1, answer: sealed } })).status,
  ).toBe(202)
  await setup.engine.idle()
  const session = fold(await setup.archive.read(id))
  expect(session.outcome).toBe('verdict')
  const document = (await (await setup.call(`/api/sessions/${id}`)).json()) as {
    verdict: { of: number; sealed: { of: number; silent: string[] }; line: string }
  }
  expect(document.verdict).toMatchObject({ of: 5, sealed: { of: 4, silent: [] } })
  expect(document.verdict.line).toContain('3 of 5 seats agreed; people 0 of 2, models 3 of 3')
})
