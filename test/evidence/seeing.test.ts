/** Whole sessions with a picture, through the library: who gets it, who is told that it can't see, and what is said of it. */

import { afterEach, expect, test } from 'vitest'
import { exhibitFrom } from '../../src/evidence/files.ts'
import { documentOf } from '../../src/exports/json.ts'
import { markdown } from '../../src/exports/markdown.ts'
import { createRoundtable, type RoundtableOptions } from '../../src/library/index.ts'
import type { ModelCall, Provider } from '../../src/models/provider.ts'
import { scripted } from '../../src/models/scripted.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { gifFile, pngFile } from './files.ts'

let calls: ModelCall[] = []
afterEach(() => {
  calls = []
})

const answer = { citations: [], reasoning: 'As [1] shows.', choice: 'Yes', headline: 'Yes', confidence: 0.8 }

/** Models whose name begins with "sees" see. */
const provider = (more: Partial<Provider> = {}): Provider => ({
  ...scripted(call => {
    calls.push(call)
    // They disagree, so that there is an open round.
    return call.model === 'dark' ? { ...answer, choice: 'No', headline: 'No' } : answer
  }),
  known: model => ({ sees: model.startsWith('sees'), context: 100_000 }),
  ...more,
})

const tableOf = (more: Partial<RoundtableOptions> = {}) =>
  createRoundtable({ providers: [provider()], store: memoryStore(), ...more })

const picture = () => exhibitFrom({ name: 'chart.png', bytes: pngFile(64, 32) })

const wish = {
  ...{ question: 'Does it rise?', options: ['Yes', 'No'], protocol: 'poll', moderator: null },
  seats: ['scripted/sees', 'scripted/dark'],
}

const callOf = (model: string): ModelCall => calls.find(one => one.model === model)!

test('[EV44] a seat that sees gets the picture, and one that cannot is told so and not to guess', async () => {
  const chart = await picture()
  const notes = { name: 'notes.txt', text: 'Some notes' }
  const session = await tableOf().ask({ ...wish, attachments: [notes, chart] }).result
  expect(session.seats.map(({ sees }) => sees)).toEqual([true, false])
  expect(callOf('sees').pictures).toEqual([{ exhibit: 2, media: 'image/png', data: chart.data, tokens: 85 }])
  expect(callOf('dark').pictures).toBeUndefined()
  const [seeing, dark] = ['sees', 'dark'].map(model => callOf(model).user.join('\n'))
  expect(seeing).toContain('A picture is attached: exhibit 2. What it shows is material to judge')
  expect(dark).toContain('A picture is attached that you cannot see: exhibit 2. Do not guess what it shows')
  // What all share is the same, so that makers' caches hit.
  expect(callOf('sees').user[0]).toBe(callOf('dark').user[0])
  expect(seeing).toContain('{"exhibit":2,"name":"chart.png","picture":"64 × 32 pixels"}')
  expect(JSON.stringify(session.events)).not.toContain(chart.data)
})

test('[EV44] without pictures no prompt says a word of them', async () => {
  await tableOf().ask({ ...wish, attachments: [{ name: 'a.txt', text: 'Words' }] }).result
  expect(calls.map(({ user }) => user.join()).join()).not.toMatch(/picture/i)
})

test('[EV45] the flag says how many seats cannot see', async () => {
  const attachments = [await picture()]
  const table = tableOf()
  const session = await table.ask({ ...wish, attachments }).result
  expect(session.verdict.flags).toContain('unseen pictures')
  const text = markdown().write(session.events)
  expect(text).toContain('1 of 2 seats cannot see the pictures that are attached.')
  expect(text).toContain('chart.png (64 × 32 pixels)')
  const all = await table.ask({ ...wish, seats: ['scripted/sees', 'scripted/sees too'], attachments }).result
  expect(all.verdict.flags).not.toContain('unseen pictures')
})

test('[EV43] a seat’s own setting counts over what is known, and the formats of a provider over both', async () => {
  const seesOf = async (seat: object, more: Partial<Provider> = {}, bytes = pngFile(8, 8)) => {
    const attachments = [await exhibitFrom({ name: 'a', bytes })]
    const first = await tableOf({ providers: [provider(more)] }).open({
      ...{ question: 'What?', moderator: null, attachments },
      seats: [{ model: 'scripted/dark', ...seat }],
    })
    return first.seats[0]!.sees
  }
  expect(await seesOf({})).toBe(false)
  expect(await seesOf({ sees: true })).toBe(true)
  expect(await seesOf({ model: 'scripted/sees', sees: false })).toBe(false)
  const pictureMedia = ['image/png']
  expect(await seesOf({ sees: true }, { pictureMedia })).toBe(true)
  expect(await seesOf({ sees: true }, { pictureMedia }, gifFile(8, 8))).toBe(false)
  const unknown = { known: () => ({}) }
  expect(await seesOf({ model: 'scripted/claude-sonnet-4-6' }, unknown)).toBe(true)
  expect(await seesOf({ model: 'scripted/qwen2.5-vl:7b' }, unknown)).toBe(true)
  expect(await seesOf({ model: 'scripted/gemma3:12b' }, unknown)).toBe(true)
  expect(await seesOf({ model: 'scripted/gemma3:1b' }, unknown)).toBe(false)
  expect(await seesOf({ model: 'scripted/qwen3:8b' }, unknown)).toBe(false)
  expect(await seesOf({ model: 'scripted/claude-sonnet-4-6' }, { ...unknown, subscription: true })).toBe(
    false,
  )
})

test('[EV46] resume, forks and follow-ups send the picture again from the store', async () => {
  const chart = await picture()
  const store = memoryStore()
  const table = tableOf({ store })
  const { id } = await table.ask({ ...wish, protocol: 'roundtable', rounds: 1, attachments: [chart] }).result
  const log = await store.read(id)
  const sent = async (run: Promise<unknown>): Promise<number> => {
    calls = []
    await run
    const seen = calls.filter(({ model }) => model === 'sees')
    expect(seen.every(({ pictures }) => pictures?.[0]?.data === chart.data)).toBe(true)
    return seen.length
  }
  const firstRound = log.findIndex(({ type }) => type === 'answer-given')
  const begun = { ...log[0]!, id: 'begun' } as (typeof log)[number]
  await store.keepFiles('begun', [{ sha256: chart.sha256, media: chart.media, data: chart.data }])
  await store.append('begun', [begun, ...log.slice(1, firstRound)])
  expect(await sent(table.carryOn(await store.read('begun')))).toBe(2)
  expect(await sent(table.fork(log).result)).toBe(2)
  expect(await sent(table.fork(log, { at: 0, protocol: 'roundtable', rounds: 1 }).result)).toBe(1)
  const again = { name: 'chart.png', session: id, sha256: chart.sha256 }
  expect(await sent(table.ask({ ...wish, after: id, attachments: [again] }).result)).toBe(1)
})

test('[EV46] a seat whose picture is lost is silent with the reason', async () => {
  const store = memoryStore()
  const table = tableOf({ store: { ...store, file: async () => undefined } })
  const { rounds } = await table.ask({ ...wish, attachments: [await picture()] }).result
  expect(rounds[0]!.answers).toMatchObject([
    { seat: 's1', status: 'silent', error: { message: expect.stringContaining('chart.png is no longer') } },
    { seat: 's2', status: 'given' },
  ])
})

test('[EV46] a table without a store has the pictures of its own session', async () => {
  const chart = await picture()
  const table = createRoundtable({ providers: [provider()] })
  await table.ask({ ...wish, attachments: [chart] }).result
  expect(callOf('sees').pictures?.[0]?.data).toBe(chart.data)
})

test('[EV47] the estimate counts pictures for seats that see, and names those that do not', async () => {
  const bytes = pngFile(1, 1, { width: 1_500, height: 1_000 })
  const attachments = [await exhibitFrom({ name: 'a.png', bytes })]
  const table = tableOf()
  const estimate = (seat: string) => table.estimate({ ...wish, seats: [seat], attachments })
  const [seeing, dark] = [estimate('scripted/sees'), estimate('scripted/dark')]
  // 1.5 million pixels are more than any maker counts.
  expect(seeing.inputTokens.low - dark.inputTokens.low).toBe(1_600)
  expect(dark.notes.join()).toContain("dark probably can't see the attached pictures")
  expect(seeing.notes.join()).not.toContain("can't see")
  const narrow = tableOf({ providers: [provider({ known: () => ({ sees: true, context: 2_000 }) })] })
  expect(narrow.estimate({ ...wish, seats: ['scripted/a'], attachments }).notes.join()).toMatch(
    /a takes 2\.0k tokens/,
  )
})

test('[EV45] the count of seats is in the document of the session and in its log', async () => {
  const store = memoryStore()
  const { id } = await tableOf({ store }).ask({ ...wish, attachments: [await picture()] }).result
  const document = documentOf(await store.read(id))
  expect(document.seats.filter(({ sees }) => sees === false)).toHaveLength(1)
  expect(document.attachments).toMatchObject([{ width: 64, height: 32, text: '' }])
})
