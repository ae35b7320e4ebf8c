import { expect, test } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import { scripted } from '../models/scripted.ts'
import { roundEstimateOf } from './estimate.ts'
import { reachOf } from './reach.ts'

test('[R79] one more round is estimated as one round, not as the whole session', () => {
  const provider = { ...scripted(() => 'x'), known: () => ({ price: { input: 1, output: 2 } }) }
  const first = sampleLog[0]
  if (first?.type !== 'session-opened') throw new Error('no opening')
  const ids = new Set(
    [...first.seats.map(({ model }) => model), first.moderator ?? ''].map(name => name.split('/')[0]),
  )
  const providers = [...ids].flatMap(id => (id ? [{ ...provider, id }] : []))
  const { calls, costUsd, seconds, notes } = roundEstimateOf(sampleLog, reachOf({ env: {}, providers }))
  expect(calls.low).toBeGreaterThanOrEqual(first.seats.length)
  expect(calls.high).toBeLessThan(4 * first.seats.length)
  expect(costUsd!.high).toBeGreaterThan(costUsd!.low)
  expect(seconds.high).toBeGreaterThan(seconds.low)
  // Whoever adds a round gets it, whatever the votes were.
  expect(notes.join()).not.toContain('open rounds follow')
  expect(() => roundEstimateOf(sampleLog, reachOf({ env: {} }))).toThrow(/is not configured/)
})
