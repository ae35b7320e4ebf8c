import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import type { SessionEvent } from '../core/event.ts'
import { resolved } from '../count/acts.ts'
import { found } from '../store/archive.ts'
import { createSessionRecords } from './sessions.ts'

const finished = { type: 'session-finished', outcome: 'verdict' } as const

const over = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No']).and(finished)

test('[H90] the track record reads a log again only if it has grown, and forgets a session that was removed', async () => {
  const logs = new Map<string, readonly SessionEvent[]>([
    ['one', over.events],
    ['two', over.events],
    ['running', table({ seats: 3 }).events],
  ])
  const whole: string[] = []
  const records = createSessionRecords({
    find: async () => ({
      sessions: [...logs].map(([id, events]) => ({ ...found(events, []), id })),
      next: null,
    }),
    read: async (id, after) => {
      if (after === undefined) whole.push(id)
      return (logs.get(id) ?? []).filter(({ position }) => position > (after ?? -1))
    },
  })
  expect(await records(10)).toHaveLength(2)
  expect((await records(1)).map(({ resolved }) => resolved)).toEqual([false])
  await records(10)
  expect(whole).toEqual(['one', 'two'])
  logs.set('two', over.and(resolved(over.session, 'Yes')).events)
  expect((await records(10)).map(({ resolved }) => resolved)).toEqual([false, true])
  expect(whole).toEqual(['one', 'two', 'two'])
  logs.delete('one')
  expect((await records(10)).map(({ resolved }) => resolved)).toEqual([true])
})
