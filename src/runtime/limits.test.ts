import { expect, test, vi } from 'vitest'
import type { Limits, Provider } from '../providers/provider.ts'
import { scripted } from '../providers/scripted.ts'
import { gatesFor } from './limits.ts'

const providerWith = (limits: Limits): Provider => ({ ...scripted(() => ''), limits })
const never = new AbortController().signal

test('[J30] sessions take turns at a limit, however many calls one of them has waiting', async () => {
  const provider = providerWith({ concurrency: 1 })
  const lane = gatesFor([provider])
  const order: string[] = []
  const [large, small, other] = [lane(), lane(), lane()]
  const call = (name: string) => async (): Promise<void> => {
    order.push(name)
    await new Promise(setImmediate)
  }
  await Promise.all([
    ...Array.from({ length: 6 }, () => large.through(provider, never, call('large'))),
    ...Array.from({ length: 2 }, () => small.through(provider, never, call('small'))),
    other.through(provider, never, call('other')),
  ])
  expect(order.slice(0, 6).toSorted()).toEqual(['large', 'large', 'large', 'other', 'small', 'small'])
  expect(order.slice(6)).toEqual(['large', 'large', 'large'])
})

test('[J30] who is sent away while waiting takes no turn', async () => {
  const provider = providerWith({ concurrency: 1 })
  const lane = gatesFor([provider])
  const held = Promise.withResolvers<void>()
  const [one, two] = [lane(), lane()]
  const first = one.through(provider, never, () => held.promise)
  const stop = new AbortController()
  const asked = vi.fn(async () => {})
  const waiting = two.through(provider, stop.signal, asked)
  stop.abort()
  await expect(waiting).rejects.toThrow('abort')
  held.resolve()
  await first
  await one.through(provider, never, async () => {})
  expect(asked).not.toHaveBeenCalled()
})

test('[J31] of many calls a minute, places serve several in turn: never more than the limit', async () => {
  const provider = providerWith({ requestsPerMinute: 6_000 })
  const lane = gatesFor([provider])()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    let begun = 0
    const calls = Array.from({ length: 700 }, () => lane.through(provider, never, async () => void begun++))
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    }
    await settled()
    expect(begun).toBe(300)
    // Three hundred places for three seconds each: a hundred a second.
    vi.advanceTimersByTime(2_990)
    await settled()
    expect(begun).toBe(300)
    vi.advanceTimersByTime(20)
    await settled()
    expect(begun).toBe(600)
    vi.advanceTimersByTime(3_010)
    await Promise.all(calls)
  } finally {
    vi.useRealTimers()
  }
})
