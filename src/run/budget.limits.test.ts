import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Limits, ModelPart, Provider } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { ask } from './ask.ts'
import { callQueues, meterFor } from './budget.ts'

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

const limited = (retryAfterMs: number, message = 'Slow down.'): ModelPart => ({
  type: 'error',
  error: { kind: 'rate-limit', message, status: 429 },
  retryAfterMs,
})

/** Refuses so many calls, and answers the next. The clock stands still but for what the test lets pass. */
const refusing = (times: number, retryAfterMs: number) => {
  let calls = 0
  const script = vi.fn(() =>
    ++calls <= times ? { parts: [limited(retryAfterMs)] } : { headline: 'Yes.', reasoning: 'So.' },
  )
  return { script, provider: scripted(script) }
}

const openWaits = callQueues()

/** In steps: a call that comes back sets its next timer only after some turns of the event loop. */
const pass = async (milliseconds: number): Promise<void> => {
  const step = 500
  for (let left = milliseconds; left >= 0; left -= step) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    vi.advanceTimersByTime(Math.min(left, step))
  }
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

const askAt = (provider: Provider, seconds: number, signal = never, queue = openWaits()) =>
  ask({
    ...{ provider, signal, queue, model: 'm', name: 'a seat', read: raw => raw, clock: () => 0 },
    prompt: { system: '', user: ['Is it so?'], shape: { name: 'answer', json: {} } },
    deadlines: { first: seconds * 1_000, between: seconds * 1_000, total: seconds * 1_000 },
    meter: meterFor(undefined),
  })

describe('a provider that asks to wait', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test.each([0, -1, Number.NaN, 250, 12_000])(
    '[R412] a wait of %d ms is no try, and is never so short that it is no wait',
    async retryAfterMs => {
      const { script, provider } = refusing(5, retryAfterMs)
      const asked = askAt(provider, 120)
      await pass(0)
      expect(script).toHaveBeenCalledTimes(1)
      await pass(Math.max(500, retryAfterMs || 0) - 1)
      expect(script).toHaveBeenCalledTimes(1)
      await pass(100_000)
      expect(await asked).toMatchObject({ status: 'given', timing: { attempts: 1 } })
      expect(script).toHaveBeenCalledTimes(6)
    },
  )

  test.each([999_999_999_999_000, Infinity, 61_000])(
    '[R412] a wait of %d ms is longer than the deadline, so nobody waits for it',
    async retryAfterMs => {
      const { script, provider } = refusing(1, retryAfterMs)
      expect(await askAt(provider, 60)).toMatchObject({ status: 'silent', error: { message: 'Slow down.' } })
      // Another call would be refused, too. But the provider may have meant something else, so it is asked again some time.
      expect(await askAt(provider, 60)).toMatchObject({ status: 'silent', error: { message: 'Slow down.' } })
      expect(script).toHaveBeenCalledTimes(1)
      await pass(300_000)
      expect(await askAt(provider, 60)).toMatchObject({ status: 'given' })
    },
  )

  test('[R412] the deadline ends the waiting, with the words of the provider', async () => {
    const { script, provider } = refusing(Infinity, 7_000)
    const asked = askAt(provider, 30)
    await pass(30_000)
    expect(await asked).toMatchObject({
      status: 'silent',
      error: { kind: 'rate-limit', message: 'Slow down.' },
    })
    expect(script.mock.calls.length).toBeGreaterThan(3)
  })

  test('[R411] one refusal holds back all calls to this provider, and none to another', async () => {
    const { script, provider } = refusing(1, 10_000)
    const first = askAt(provider, 60)
    await pass(0)
    const others = [askAt(provider, 60), askAt(provider, 60)]
    const elsewhere = refusing(0, 0)
    await pass(9_999)
    expect(script).toHaveBeenCalledTimes(1)
    expect(await askAt(elsewhere.provider, 60)).toMatchObject({ status: 'given' })
    await pass(2_501)
    expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual(
      Array(3).fill('given'),
    )
  })

  test('[R413] whoever stops doesn’t wait, and no timer is left', async () => {
    const { provider } = refusing(Infinity, 50_000)
    const stop = new AbortController()
    const asked = [askAt(provider, 120, stop.signal), askAt(provider, 120, stop.signal)]
    await pass(5)
    stop.abort()
    for (const { status, ...rest } of await Promise.all(asked))
      expect({ status, ...rest }).toMatchObject({ status: 'silent', error: { kind: 'cancelled' } })
    expect(vi.getTimerCount()).toBe(0)
  })
})
