import { expect, test } from 'vitest'
import { scripted } from '../models/scripted.ts'
import { callQueues, meterFor } from '../run/budget.ts'
import { memoryStore } from '../store/memory.ts'
import { reachOf } from '../table/reach.ts'
import { openingOf } from '../table/resolve.ts'
import { carry } from './trials.ts'

/** What the bench was started with, a log that names `model` in its first seat, and the models that are asked. */
const carried = async (planned: string, model: string) => {
  const asked: string[] = []
  const house = scripted(call => {
    asked.push(call.model)
    return { headline: 'Yes.', choice: 'Yes', reasoning: 'So it is.', confidence: 0.8 }
  })
  const reach = reachOf({ providers: [{ ...house, id: 'house' }], env: {} })
  const input = {
    question: 'Is it so?',
    options: ['Yes', 'No'],
    seats: [planned, 'house/b'],
    protocol: 'poll',
    moderator: null,
  }
  const first = await openingOf(input, 'session', reach).first(() => 0)
  const seats = first.seats.map((seat, index) => (index === 0 ? { ...seat, model } : seat))
  const store = memoryStore()
  await store.append('session', [{ ...first, seats }])
  const carrier = {
    ...{ reach, store, clock: () => 0, signal: new AbortController().signal },
    ...{ openQueue: callQueues(), meter: meterFor(undefined, []) },
  }
  const ended = carry(carrier, { id: 'session', input })
  return { outcome: await ended.then(({ outcome }) => outcome, String), asked }
}

test('[T114] a log in the folder of a bench loads no file that the bench was not started with', async () => {
  const stranger = await carried('house/a', 'house//etc/hostname')
  expect(stranger).toEqual({
    outcome: expect.stringMatching(/not asked for: house\/\/etc\/hostname/),
    asked: [],
  })
  const own = await carried('house//models/own.gguf', 'house//models/own.gguf')
  expect(own).toEqual({ outcome: 'verdict', asked: ['/models/own.gguf', 'b'] })
})
