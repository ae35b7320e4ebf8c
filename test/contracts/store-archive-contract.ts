/** What every archive must do beyond a store. A new archive calls this with a function that makes it. */

import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/core/basics.ts'
import type { SessionEvent } from '../../src/core/event.ts'
import type { Archive, Filter } from '../../src/store/archive.ts'
import { backupLines, restoreFrom } from '../../src/store/backup.ts'
import { accountsContract } from './store-archive-accounts-contract.ts'
import { finished, opened, stopped } from './store-contract.ts'

type Opening = SessionEvent & { type: 'session-opened' }

export const asked = (id: string, question: string, more: Partial<Opening> = {}): SessionEvent => {
  const opening = opened(id) as Opening
  return { ...opening, question: { ...opening.question, text: question }, ...more }
}

/** A complete session with one seat, whose log ends with a report. */
export const discussed = (
  id: string,
  question: string,
  reasoning: string,
  summary: string,
): SessionEvent[] => [
  asked(id, question),
  { type: 'round-opened', position: 1, at: '2026-01-01T00:00:01.000Z', round: 0, sealed: true },
  {
    type: 'answer-given',
    position: 2,
    at: '2026-01-01T00:00:02.000Z',
    round: 0,
    seat: 's1',
    answer: { headline: 'Certainly', reasoning, confidence: 0.8, language: 'en' },
  },
  {
    type: 'report-written',
    position: 3,
    at: '2026-01-01T00:00:03.000Z',
    report: { answer: 'Certainly.', summary },
    by: 'code',
  },
  finished(4),
]

const idsIn = async (archive: Archive, filter: Filter): Promise<string[]> =>
  (await archive.find(filter)).sessions.map(session => session.id)

const everyPage = async (archive: Archive, limit: number, filter: Filter = {}): Promise<string[][]> => {
  const pages: string[][] = []
  let cursor: string | null | undefined
  do {
    const { sessions, next } = await archive.find(filter, { limit, ...(cursor && { cursor }) })
    pages.push(sessions.map(session => session.id))
    cursor = next
  } while (cursor)
  return pages
}

export const archiveContract = (name: string, make: () => Promise<Archive>): void => {
  accountsContract(name, make)
  describe(`${name} archive`, () => {
    test('[S230] finds the follow-ups and forks of a session, and says which they are', async () => {
      const archive = await make()
      await archive.append('a', [asked('a', 'Is it warm?')])
      const after = { session: 'a', carry: 'none' as const, carried: [] }
      await archive.append('b', [asked('b', 'And in May?', { after })])
      await archive.append('c', [asked('c', 'And in June?', { after, forkedFrom: { session: 'b' } })])
      const linked = async (parent: string) =>
        (await archive.find({ parent })).sessions.map(({ id, link }) => [id, link])
      expect(await linked('a')).toEqual([['b', 'follow-up']])
      expect(await linked('b')).toEqual([['c', 'fork']])
      expect(await linked('c')).toEqual([])
      expect((await archive.find()).sessions.find(({ id }) => id === 'a')).toMatchObject({
        parent: null,
        link: null,
      })
    })

    test('[S13] finds words of the question, the answers and the report, in upper or lower case', async () => {
      const archive = await make()
      await archive.append(
        'moon',
        discussed('moon', 'How far is the Moon?', 'Laser ranging', 'Apogee varies'),
      )
      await archive.append('sun', [asked('sun', 'How far is the Sun?')])
      expect(await idsIn(archive, { words: 'FAR' })).toEqual(['sun', 'moon'])
      expect(await idsIn(archive, { words: 'moon far' })).toEqual(['moon'])
      expect(await idsIn(archive, { words: 'laser' })).toEqual(['moon'])
      expect(await idsIn(archive, { words: 'laser apogee' })).toEqual(['moon'])
      expect(await idsIn(archive, { words: 'laser sun' })).toEqual([])
      expect(await idsIn(archive, { words: ' ' })).toEqual(['sun', 'moon'])
    })

    test('[S30] the last word may be the beginning of one, unless it is quoted', async () => {
      const archive = await make()
      await archive.append('uni', [asked('uni', 'Is university worthwhile?', { language: 'en' })])
      await archive.append('far', discussed('far', 'Why far?', 'Laser ranging', 'Apogee varies'))
      for (let length = 1; length <= 'university'.length; length++)
        expect(await idsIn(archive, { words: 'university'.slice(0, length) })).toEqual(['uni'])
      expect(await idsIn(archive, { words: 'worthwhile UNIVERSI' })).toEqual(['uni'])
      expect(await idsIn(archive, { words: 'laser apog' })).toEqual(['far'])
      for (const words of ['worthwh university', '"worthwh', '"worthwh"', 'worthwh ', 'laser worthwh'])
        expect(await idsIn(archive, { words })).toEqual([])
    })

    test('[TR11] a session is still found by its words after it was resolved', async () => {
      const archive = await make()
      const log = discussed('moon', 'How far is the Moon?', 'Laser ranging', 'Apogee varies')
      const at = '2026-01-02T00:00:00.000Z'
      const position = log.length
      const told: SessionEvent = { type: 'session-resolved', position, at, answer: 'x', camps: ['c1'] }
      await archive.append('moon', log)
      await archive.append('moon', [told])
      await archive.append('twin', [...discussed('twin', 'Far?', 'Laser ranging', 'Apogee'), told])
      expect(await idsIn(archive, { words: 'laser' })).toEqual(['twin', 'moon'])
      expect((await archive.list()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted'])
    })

    test('[S13] answers and report are found once a session that grew event by event has finished', async () => {
      const archive = await make()
      const log = discussed('moon', 'How far is the Moon?', 'Laser ranging', 'Apogee varies')
      for (const event of log.slice(0, -1)) await archive.append('moon', [event])
      expect(await idsIn(archive, { words: 'moon' })).toEqual(['moon'])
      await archive.append('moon', log.slice(-1))
      expect(await idsIn(archive, { words: 'apogee' })).toEqual(['moon'])
    })

    test('[S13] pages for a word in most sessions are as full as those for a rare word', async () => {
      const archive = await make()
      const ids = Array.from({ length: 230 }, (_, index) => `n${1_000 + index}`)
      const question = (index: number) => (index % 50 === 3 ? 'A rare boat?' : 'A common boat?')
      for (const [index, id] of ids.entries()) await archive.append(id, [asked(id, question(index))])
      const newest = ids.toReversed()
      const rare = ids.filter((_, index) => index % 50 === 3).toReversed()
      expect(await everyPage(archive, 30, { words: 'boat' })).toEqual(
        Array.from({ length: 8 }, (_, page) => newest.slice(page * 30, page * 30 + 30)),
      )
      expect(await everyPage(archive, 2, { words: 'rare' })).toEqual([
        rare.slice(0, 2),
        rare.slice(2, 4),
        rare.slice(4),
      ])
      expect(await idsIn(archive, { words: 'boat', protocol: 'hybrid' })).toEqual([])
    })

    test.each([
      ...["it's", '"', 'a & !', '(', "'; drop table sessions; --", '\0', '🂡', '-', 'or', '<->'],
      ...['²', '½ ½', 'a\u0301', 'x -"c d', 'a or b', '東', '- a', '!! a', 'a:*', "a b'c"],
    ])('[S13] any text may be searched for: %j', async words => {
      const archive = await make()
      await archive.append('a', [asked('a', 'Why?')])
      await archive.find({ words })
      expect(await archive.list()).toHaveLength(1)
    })

    test('[S14] filters by model, protocol, level, outcome, tag and date, together', async () => {
      const archive = await make()
      const seat = { id: 's1', alias: 'A', name: 'Two', model: 'lab/two' }
      await archive.append('one', [opened('one', '2026-01-01T00:00:00.000Z'), finished(1)])
      const two = { seats: [seat], protocol: 'hybrid', at: '2026-02-01T00:00:00.000Z' }
      await archive.append('two', [asked('two', 'Why two?', two)])
      await archive.tag('two', ['physics', 'old', 'physics'])
      expect(await idsIn(archive, { model: 'lab/two' })).toEqual(['two'])
      expect(await idsIn(archive, { protocol: 'poll' })).toEqual(['one'])
      expect(await idsIn(archive, { level: 'no-quorum' })).toEqual(['one'])
      expect(await idsIn(archive, { outcome: 'interrupted' })).toEqual(['one'])
      expect(await idsIn(archive, { tag: 'physics' })).toEqual(['two'])
      expect(await idsIn(archive, { from: '2026-02-01' })).toEqual(['two'])
      expect(await idsIn(archive, { before: '2026-02-01' })).toEqual(['one'])
      expect(await idsIn(archive, { model: 'lab/two', protocol: 'poll' })).toEqual([])
      const found = (await archive.find({ tag: 'old' })).sessions[0]
      expect(found).toMatchObject({ models: ['lab/two'], protocol: 'hybrid', tags: ['old', 'physics'] })
    })

    test('[S15] pages hold every session once, newest first, also those opened at the same time', async () => {
      const archive = await make()
      for (const id of ['c', 'a', 'B', 'e', 'd']) await archive.append(id, [opened(id)])
      await archive.append('new', [opened('new', '2026-03-01T00:00:00.000Z')])
      expect(await everyPage(archive, 2)).toEqual([
        ['new', 'e'],
        ['d', 'c'],
        ['a', 'B'],
      ])
      expect(await everyPage(archive, 6)).toHaveLength(1)
      expect((await archive.find(undefined, { limit: 2 })).sessions).toHaveLength(2)
      await expect(archive.find({}, { cursor: 'nonsense' })).rejects.toThrow(UsageError)
    })

    test('[S16] keeps tags with their session, and line-ups and settings by name', async () => {
      const archive = await make()
      await archive.tag('nobody', ['x'])
      await archive.append('a', [opened('a')])
      await archive.tag('a', ['x'])
      expect([(await archive.filing('a'))?.tags, await archive.filing('nobody')]).toEqual([['x'], undefined])
      await archive.remove('a')
      await archive.append('a', [opened('a')])
      expect((await archive.find()).sessions[0]?.tags).toEqual([])
      await archive.saveLineup('panel', ['lab/one', { model: 'lab/two', brief: 'Doubt.' }])
      await archive.saveLineup('duo', ['lab/one'])
      await archive.saveLineup('duo', ['lab/two'])
      await archive.removeLineup('nobody')
      expect(await archive.lineups()).toEqual({
        duo: ['lab/two'],
        panel: ['lab/one', { model: 'lab/two', brief: 'Doubt.' }],
      })
      await archive.removeLineup('panel')
      expect(Object.keys(await archive.lineups())).toEqual(['duo'])
      await archive.saveSetting('theme', 'dark')
      await archive.saveSetting('theme', { name: 'light', since: null })
      expect(await archive.settings()).toEqual({ theme: { name: 'light', since: null } })
      expect(await archive.setting('theme')).toEqual({ name: 'light', since: null })
      await archive.removeSetting('theme')
      expect(await archive.setting('theme')).toBeUndefined()
    })

    test('[H40] if many add the same setting at once, one wins', async () => {
      const archive = await make()
      const stored = await Promise.all([1, 2, 3, 4].map(one => archive.addSetting('seat', one)))
      expect(new Set(stored).size).toBe(1)
      expect(await archive.setting('seat')).toBe(stored[0])
    })

    test('[H40] if many remove the same setting at once, one gets it', async () => {
      const archive = await make()
      await archive.saveSetting('seat', 'taken')
      const removed = await Promise.all([1, 2, 3, 4].map(() => archive.removeSetting('seat')))
      expect(removed.filter(one => one !== undefined)).toEqual(['taken'])
      expect(await archive.setting('seat')).toBeUndefined()
    })

    test('[S17] a backup restores to the same archive, and overwrites only if told to', async () => {
      const archive = await make()
      await archive.append('moon', discussed('moon', 'How far is the Moon?', 'Laser \0', 'Apogee varies'))
      await archive.append('open', [opened('open'), stopped(1)])
      await archive.tag('moon', ['space'])
      await archive.saveLineup('duo', ['lab/one'])
      await archive.saveSetting('theme', 'dark')
      const lines = await Array.fromAsync(backupLines(archive))
      const found = (await archive.find()).sessions
      await archive.remove('moon')
      await archive.remove('open')
      await archive.append('moon', [opened('moon')])
      await archive.saveSetting('theme', 'light')
      await expect(restoreFrom(lines, archive)).rejects.toThrow('Nothing was restored: there is already a ')
      expect(await archive.read('open')).toEqual([])
      expect(await archive.settings()).toEqual({ theme: 'light' })
      expect(await restoreFrom(lines, archive, { overwrite: true })).toEqual({ sessions: 2, leftOut: [] })
      expect((await archive.find()).sessions).toEqual(found)
      expect(await Array.fromAsync(backupLines(archive))).toEqual(lines)
      await expect(restoreFrom(lines, archive)).rejects.toMatchObject({ kind: 'already-exists' })
    })

    test('[S260] books are found by being books', async () => {
      const archive = await make()
      await archive.append('plain', discussed('plain', 'How far is the Moon?', 'Kelp', 'Apogee'))
      const [first, ...rest] = discussed('book', 'Write about tides.', 'Kelp', 'Patience')
      await archive.append('book', [{ ...(first as Opening), book: {} }, ...rest])
      expect((await archive.find({ books: true })).sessions).toMatchObject([{ id: 'book', book: true }])
      expect((await archive.find()).sessions.find(({ id }) => id === 'plain')).not.toHaveProperty('book')
    })

    test('[S351] a backup has the files of its sessions', async () => {
      const archive = await make()
      const file = { sha256: 'cd'.repeat(32), media: 'application/pdf', data: 'AAEC/w==' }
      const first = opened('doc') as Opening
      const attachments = [{ name: 'a.pdf', text: 'words', media: file.media, sha256: file.sha256 }]
      await archive.keepFiles('doc', [file])
      await archive.append('doc', [{ ...first, question: { ...first.question, attachments } }])
      const lines = await Array.fromAsync(backupLines(archive))
      await archive.remove('doc')
      expect(await restoreFrom(lines, archive)).toEqual({ sessions: 1, leftOut: [] })
      expect(await archive.file('doc', file.sha256)).toEqual(file)
    })

    test('[S18] a backup that is cut off, or damaged outside of its sessions, is refused before anything is written', async () => {
      const archive = await make()
      await archive.append('a', [opened('a')])
      const lines = await Array.fromAsync(backupLines(archive))
      await archive.remove('a')
      const damaged = [lines.slice(0, -1), [], ['{}'], [lines[0]!, lines.at(-1)!]]
      for (const text of damaged) await expect(restoreFrom(text, archive)).rejects.toThrow(UsageError)
      expect(await archive.list()).toEqual([])
    })
  })
}
