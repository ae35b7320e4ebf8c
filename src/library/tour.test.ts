/** The tour is what a newcomer sees first: nothing in it may go wrong but what its script wants. */

import { expect, test } from 'vitest'
import { fold } from '../core/fold.ts'
import { memoryStore } from '../store/memory.ts'
import { createRoundtable } from './index.ts'
import { tour } from './tour.ts'

test('[T145] the moderator of the tour has a reply for every task', async () => {
  const { options, input } = tour(true)
  const store = memoryStore()
  await createRoundtable({ ...options, store, newId: () => 'tour' }).ask(input).result
  const { failures, rejectedReports, kindFound, reportBy } = fold(await store.read('tour'))
  expect({ failures, rejectedReports, reportBy }).toEqual({
    failures: [],
    rejectedReports: [],
    reportBy: 'moderator',
  })
  expect(kindFound).toBe('judgement')
})
