/** What every store must do. A new store calls this, and needs no other test of its behaviour. */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/core/basics.ts'
import type { SessionEvent } from '../../src/core/event.ts'
import { PositionTaken, type Store } from '../../src/store/store.ts'

export interface StoreUnderTest {
  readonly store: Store
  /** For stores that outlive their process: a second store over the same data, as another process would open it. */
  readonly again?: () => Store
  /** The source of a module whose default export is that second store. */
  readonly module?: string
}

export const opened = (id: string, at = '2026-01-01T00:00:00.000Z'): SessionEvent => ({
  type: 'session-opened',
  position: 0,
  at,
  id,
  question: { text: `Why ${id}?`, format: 'open', options: [], scale: 'linear', attachments: [] },
  seats: [{ id: 's1', alias: 'A', name: 'One', model: 'lab/one' }],
  moderator: null,
  protocol: 'poll',
  rounds: 0,
  names: 'hidden',
  language: 'en',
  seed: '1',
  deadline: 60,
})

export const stopped = (position: number, words = 'Enough.'): SessionEvent => ({
  type: 'session-stopped',
  position,
  at: '2026-01-01T00:00:01.000Z',
  reason: 'interrupted',
  words,
})

export const finished = (position: number): SessionEvent => ({
  type: 'session-finished',
  position,
  at: '2026-01-01T00:00:02.000Z',
  outcome: 'interrupted',
})

/** Appends until it is killed, and prints each position once that is stored. */
const appendForever = (module: string): string => `
  const { default: store } = await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(module)}`)})
  await store.append('killed', [${JSON.stringify(opened('killed'))}])
  console.log(0)
  for (let position = 1; ; position++) {
    await store.append('killed', [{ ...${JSON.stringify(stopped(0, 'x'.repeat(5000)))}, position }])
    console.log(position)
  }`

/** The last position that a writer acknowledged before it was killed while writing. */
export const lastBeforeKill = async (module: string, killAt = 40): Promise<number> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', appendForever(module)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  })
  let last = -1
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (last === killAt) child.kill('SIGKILL')
  }
  return last
}

export const storeContract = (name: string, make: () => Promise<StoreUnderTest>): void => {
  describe(`${name} store`, () => {
    test('[S1] returns what was appended, in order, all of it or after a position', async () => {
      const { store } = await make()
      await store.append('a', [opened('a')])
      await store.append('a', [stopped(1), finished(2)])
      expect(await store.read('a')).toEqual([opened('a'), stopped(1), finished(2)])
      expect(await store.read('a', 1)).toEqual([finished(2)])
      expect(await store.read('nobody')).toEqual([])
    })

    test('[S12] keeps every character of an event, even those that databases refuse', async () => {
      const { store } = await make()
      const odd = stopped(1, 'NUL \0, half a character \ud800, \u2028, "quotes", \\u0000 and 🂡')
      await store.append('odd', [opened('odd'), odd])
      await store.append('odd', [{ ...odd, position: 2 }])
      expect(await store.read('odd', 0)).toEqual([odd, { ...odd, position: 2 }])
    })

    test('[S372] refuses an event that could not be read back, and leaves the log as it was', async () => {
      const { store } = await make()
      await store.append('a', [opened('a')])
      const timing = { firstToken: null, total: -1, attempts: 1 }
      const error = { kind: 'timeout', message: 'late' } as const
      const early = { ...stopped(1), type: 'seat-silent', round: 0, seat: 's1', error, timing } as const
      for (const odd of [early, { ...stopped(1), words: Number.NaN }, { ...stopped(1), position: 0.5 }])
        await expect(store.append('a', [odd as unknown as SessionEvent])).rejects.toThrow(UsageError)
      expect(await store.read('a')).toEqual([opened('a')])
    })

    test('[S2] an append that is not at the end of the log fails and changes nothing', async () => {
      const { store } = await make()
      await store.append('a', [opened('a'), stopped(1)])
      await expect(store.append('a', [stopped(1)])).rejects.toThrow(PositionTaken)
      await expect(store.append('a', [stopped(3)])).rejects.toThrow(PositionTaken)
      await expect(store.append('a', [opened('a')])).rejects.toThrow(PositionTaken)
      await expect(store.append('b', [stopped(1)])).rejects.toThrow(PositionTaken)
      expect(await store.read('a')).toHaveLength(2)
      expect(await store.read('b')).toEqual([])
    })

    test('[S3] of several writers at one position exactly one succeeds', async () => {
      const { store, again } = await make()
      await store.append('a', [opened('a')])
      for (let position = 1; position <= 20; position++) {
        const writers = Array.from({ length: 4 }, () => again?.() ?? store)
        const tries = await Promise.allSettled(
          writers.map((writer, index) => writer.append('a', [stopped(position, `writer ${index}`)])),
        )
        const won = tries.flatMap((one, index) => (one.status === 'fulfilled' ? [index] : []))
        expect(won).toHaveLength(1)
        expect(await store.read('a', position - 1)).toEqual([stopped(position, `writer ${won[0]}`)])
      }
    })

    test('[S4] lists sessions newest first, with their verdict or without one', async () => {
      const { store } = await make()
      await store.append('old', [opened('old', '2026-01-01T00:00:00.000Z'), finished(1)])
      await store.append('new', [opened('new', '2026-02-01T00:00:00.000Z')])
      const sessions = await store.list()
      expect(sessions.map(session => session.id)).toEqual(['new', 'old'])
      expect(sessions[0]).toMatchObject({ question: 'Why new?', outcome: null, level: null, line: null })
      expect(sessions[1]).toMatchObject({ outcome: 'interrupted', level: 'no-quorum' })
    })

    test('[S5] a removed session is gone, and its id may be used again', async () => {
      const { store } = await make()
      await store.append('a', [opened('a')])
      await store.remove('a')
      await store.remove('a')
      expect(await store.read('a')).toEqual([])
      expect(await store.list()).toEqual([])
      await expect(store.append('a', [stopped(1)])).rejects.toThrow(PositionTaken)
      await store.append('a', [opened('a')])
      expect(await store.read('a')).toHaveLength(1)
    })

    test.each(['../a', 'a/b', '', '.', 'a.b', 'a\0', 'x'.repeat(101), '-a'])(
      '[S6] refuses the id %j, which could lead out of the store',
      async id => {
        const { store } = await make()
        await expect(store.append(id, [opened('a')])).rejects.toThrow(UsageError)
        await expect(store.read(id)).rejects.toThrow(UsageError)
        await expect(store.remove(id)).rejects.toThrow(UsageError)
      },
    )

    test('[S350] files are kept beside a log, by their hash, and are removed with it', async () => {
      const { store } = await make()
      const file = { sha256: 'ab'.repeat(32), media: 'image/png', data: 'AAEC/w==' }
      await store.keepFiles('a', [file])
      await store.append('a', [opened('a')])
      await store.keepFiles('a', [file])
      expect(await store.file('a', file.sha256)).toEqual(file)
      expect(await store.file('b', file.sha256)).toBeUndefined()
      expect(await store.list()).toHaveLength(1)
      await store.remove('a')
      expect(await store.file('a', file.sha256)).toBeUndefined()
    })

    test('[S7] a log with a gap is never written', async () => {
      const { store } = await make()
      await expect(store.append('a', [opened('a'), stopped(2)])).rejects.toThrow('gap before position 2')
      expect(await store.read('a')).toEqual([])
    })

    test('[S8] what was acknowledged survives kill -9 of the writer, and the log can be continued', async context => {
      const { store, module } = await make()
      if (!module) return context.skip()
      const last = await lastBeforeKill(module)
      const events = await store.read('killed')
      expect(last).toBeGreaterThanOrEqual(40)
      expect(events.length).toBeGreaterThan(last)
      expect(events.map(event => event.position)).toEqual(events.map((_, index) => index))
      await store.append('killed', [finished(events.length)])
      expect(await store.read('killed')).toHaveLength(events.length + 1)
    })
  })
}
