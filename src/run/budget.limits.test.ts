import { expect, test, vi } from 'vitest'
import type { Limits, Provider } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { callQueues } from './budget.ts'

const providerWith = (limits: Limits): Provider => ({ ...scripted(() => ''), limits })
const never = new AbortController().signal

test('[J30] sessions take turns at a limit, however many calls one of them has waiting', async () => {
  const provider = providerWith({ concurrency: 1 })
  const open = callQueues()
  const order: string[] = []
  const [large, small, other] = [open(), open(), open()]
  const call = (name: string) => async (): Promise<void> => {
    order.push(name)
    await new Promise(setImmediate)
  }
  await Promise.all([
    ...Array.from({ length: 6 }, () => large.run(provider, never, call('large'))),
    ...Array.from({ length: 2 }, () => small.run(provider, never, call('small'))),
    other.run(provider, never, call('other')),
  ])
  expect(order.slice(0, 6).toSorted()).toEqual(['large', 'large', 'large', 'other', 'small', 'small'])
  expect(order.slice(6)).toEqual(['large', 'large', 'large'])
})

test('[J30] a call that is cancelled while it waits takes no turn', async () => {
  const provider = providerWith({ concurrency: 1 })
  const open = callQueues()
  const held = Promise.withResolvers<void>()
  const [one, two] = [open(), open()]
  const first = one.run(provider, never, () => held.promise)
  const stop = new AbortController()
  const asked = vi.fn(async () => {})
  const waiting = two.run(provider, stop.signal, asked)
  stop.abort()
  await expect(waiting).rejects.toThrow('abort')
  held.resolve()
  await first
  await one.run(provider, never, async () => {})
  expect(asked).not.toHaveBeenCalled()
})

test('[J31] with many calls a minute, slots are used in turn: never more calls than the limit', async () => {
  const provider = providerWith({ requestsPerMinute: 6_000 })
  const queue = callQueues()()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    let begun = 0
    const calls = Array.from({ length: 700 }, () => queue.run(provider, never, async () => void begun++))
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    }
    await settled()
    expect(begun).toBe(300)
    // Three hundred slots for three seconds each: a hundred a second.
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
