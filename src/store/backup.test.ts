import fc from 'fast-check'
import { expect, test } from 'vitest'
import { silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { answered, anySession } from '../../test/contracts/exports-contract.ts'
import type { SessionEvent } from '../core/event.ts'
import { type Archive, type Json, teams } from './archive.ts'
import { backupLines, type LeftOut, type RestoreOptions, restoreFrom, type SavedTemplates } from './backup.ts'
import { memoryStore } from './memory.ts'

fc.configureGlobal({ seed: 2026 })

const linesOf = (archive: Archive): Promise<string[]> => Array.fromAsync(backupLines(archive))

const restored = async (lines: readonly string[], options: RestoreOptions = {}) => {
  const archive = memoryStore()
  return { archive, ...(await restoreFrom(lines, archive, options)) }
}

const opened = (id: string): SessionEvent => table({ id, seats: 2, question: yesOrNo }).events[0]!

const withId = (log: readonly SessionEvent[], id: string): SessionEvent[] =>
  log.map(event => (event.type === 'session-opened' ? { ...event, id } : event))

test('[S373] what is backed up is restored, and a damaged session in the middle harms no other', async () => {
  const damages: readonly ((line: string) => string)[] = [
    line => line.slice(0, -1),
    line => line.replace('"position":1', '"position":-1'),
    line => line.replace('"type":"round-opened"', '"type":"round-closed"'),
    line => line.replace(/"id":"[^"]+"/, '"id":"constructor"'),
    line => line.replace('"alias":"A"', '"alias":null'),
    () => '{"session":"../x","tags":[],"events":[]}',
    () => 'garbage',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySession, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(...damages),
      async (logs, place, damage) => {
        const archive = memoryStore()
        for (const [index, log] of logs.entries()) await archive.append(`s${index}`, withId(log, `s${index}`))
        const lines = await linesOf(archive)
        const whole = await restored(lines)
        expect(whole).toMatchObject({ sessions: logs.length, leftOut: [] })
        expect(await linesOf(whole.archive)).toEqual(lines)

        const at = 1 + (place % logs.length)
        const { session } = JSON.parse(lines[at]!)
        const { archive: rest, sessions, leftOut } = await restored(lines.with(at, damage(lines[at]!)))
        expect([sessions, leftOut.length]).toEqual([logs.length - 1, 1])
        expect(leftOut[0]!.what).toMatch(/^(session s\d|line \d+)$/)
        for (const { id } of (await archive.find()).sessions)
          expect(await rest.read(id)).toEqual(id === session ? [] : await archive.read(id))
      },
    ),
    { numRuns: 40 },
  )
})

/** A log that an import refuses, and why. */
const forbidden: readonly (readonly [RegExp, (log: SessionEvent[]) => SessionEvent[]])[] = [
  [
    /a seat can't have the id "constructor"/,
    ([first, ...rest]) => [seated(first!, 0, { id: 'constructor' }), ...rest],
  ],
  [/two seats have the letter "A"/, ([first, ...rest]) => [seated(first!, 1, { alias: 'A' }), ...rest]],
  [/seat "s1" answered round 0 before/, log => [...log, { ...log[2]!, position: log.length }]],
  [/its position is 9/, log => log.with(2, { ...log[2]!, position: 9 })],
  [/there is no seat "s7"/, log => log.with(2, { ...log[2]!, seat: 's7' } as SessionEvent)],
  [
    /its log is that of session other/,
    ([first, ...rest]) => [{ ...first!, id: 'other' } as SessionEvent, ...rest],
  ],
  [
    /timing/,
    log => log.with(2, { ...log[2]!, timing: { firstToken: -3, total: -1, attempts: 1 } } as SessionEvent),
  ],
]

const seated = (event: SessionEvent, place: number, change: object): SessionEvent =>
  event.type === 'session-opened'
    ? { ...event, seats: event.seats.with(place, { ...event.seats[place]!, ...change }) }
    : event

test.each(forbidden)(
  '[S374] a session is left out for the reason that an import gives: %s',
  async (why, change) => {
    const log = [...table({ id: 'odd', seats: 2, question: yesOrNo }).round(0, ['Yes', silent()]).events]
    const lines = [
      { roundtable: 'backup', version: 1 },
      { session: 'odd', tags: [], events: change(log) },
      { session: 'good', tags: ['kept'], events: withId(log, 'good') },
      { end: true, sessions: 2 },
    ]
    const { archive, sessions, leftOut } = await restored(lines.map(line => JSON.stringify(line)))
    expect([sessions, leftOut]).toEqual([1, [{ what: 'session odd', why: expect.stringMatching(why) }]])
    expect((await archive.list()).map(({ id }) => id)).toEqual(['good'])
  },
)

test('[S374] a session whose seat joined later, or was asked again, is restored', async () => {
  const begun = table({ id: 'a', seats: 2, question: yesOrNo }).round(0, ['Yes', silent()])
  const seat = { id: 's3', alias: 'C', name: 'Cy', model: 'lab/c', since: 1 }
  const log = begun.and(
    { type: 'seat-joined', seat },
    { type: 'seat-retried', round: 0, seat: 's2' },
    answered(0, 's2', { headline: 'No', reasoning: 'Because.', choice: 'No' }),
    { type: 'round-opened', round: 1, sealed: false },
    answered(1, 's3', { headline: 'No', reasoning: 'Because.', choice: 'No' }),
  )
  const archive = memoryStore()
  await archive.append('a', log.events)
  expect(await restored(await linesOf(archive))).toMatchObject({ sessions: 1, leftOut: [] })
})

test('[S375] a backup says which of its sessions a restore would leave out', async () => {
  const archive = memoryStore()
  await archive.append('good', [opened('good')])
  const early = {
    type: 'seat-silent',
    round: 0,
    seat: 's1',
    error: { kind: 'timeout', message: '' },
  } as const
  const odd = [opened('odd'), { ...early, position: 1, at: 'then' }]
  const older: Archive = { ...archive, read: async id => (id === 'odd' ? odd : archive.read(id)) }
  await archive.append('odd', [opened('odd')])
  const problems: LeftOut[] = []
  const lines = await Array.fromAsync(backupLines(older, { unsound: problem => problems.push(problem) }))
  const found = [{ what: 'session odd', why: 'events[1]: round 0 was not opened.' }]
  expect(problems).toEqual(found)
  expect(await restored(lines)).toMatchObject({ sessions: 1, leftOut: found })
})

test('[S376] without --overwrite a backup adds neither a link nor a file to a session that is there', async () => {
  const archive = memoryStore()
  await archive.append('mine', [opened('mine')])
  const ends = (...lines: object[]): string[] =>
    [{ roundtable: 'backup', version: 1 }, ...lines, { end: true, sessions: 0 }].map(line =>
      JSON.stringify(line),
    )
  const links = [
    { name: 'shared by token', value: 'mine' },
    { name: 'link of mine', value: 'token' },
    { name: 'seat linked by token', value: 'mine/s1' },
    { name: 'link of seat mine/s1', value: 'token' },
  ]
  for (const setting of links)
    await expect(restoreFrom(ends({ setting }), archive)).rejects.toThrow('a link to the session mine')
  const file = { session: 'mine', sha256: 'ab'.repeat(32), media: 'text/plain', data: 'AAEC' }
  await restoreFrom(ends({ file }), archive)
  expect(await archive.file('mine', file.sha256)).toBeUndefined()
  expect(await archive.settings()).toEqual({})
  await restoreFrom(ends({ setting: links[0]! }), archive, { overwrite: true })
  expect(await archive.settings()).toEqual({ 'shared by token': 'mine' })
})

test('[S377] templates of the data folder are in a backup, and one that is there is not replaced', async () => {
  const archive = memoryStore()
  await archive.append('a', [opened('a')], teams)
  const all = { moving: { question: 'Where to?' } }
  const lines = await Array.fromAsync(backupLines(archive, { templates: all }))
  const saved: Record<string, Json> = {}
  const none: SavedTemplates = {
    all: {},
    save: (name, template) => Object.assign(saved, { [name]: template }),
  }
  expect(await restored(lines, { templates: none })).toMatchObject({ sessions: 1, leftOut: [] })
  expect(saved).toEqual(all)
  await expect(restored(lines, { templates: { ...none, all } })).rejects.toThrow('already a template moving')
  await restored(lines, { templates: { ...none, all }, overwrite: true })
})
