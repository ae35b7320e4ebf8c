import { expect, test } from 'vitest'
import { inTurns } from './turns.ts'

const limits = { waiting: 40, ofOne: 4, refusal: () => new Error('too many') }

/** Work that notes when it is done, and waits until it is let go. */
const stage = () => {
  const turn = inTurns(limits)
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const come = (from: string): Promise<string> =>
    turn(from, async () => {
      await gate.promise
      done.push(from)
      return from
    }).catch(() => 'turned away')
  return { done, come, open: gate.resolve }
}

test('[AC151] forty guesses from one place hold nobody else up: all take turns, and few of one place wait', async () => {
  const { done, come, open } = stage()
  const guesses = Array.from({ length: 40 }, () => come('there'))
  const mine = come('here')
  open()
  expect(await mine).toBe('here')
  // The one under way, and one more, if they took turns by the place.
  expect(done.indexOf('here')).toBeLessThanOrEqual(2)
  const replies = await Promise.all(guesses)
  expect(replies.filter(reply => reply === 'there')).toHaveLength(5)
})

test('[AC151] if many places fill the queue, the last of the one with the most gives way to a new place', async () => {
  const { done, come, open } = stage()
  const guesses = Array.from({ length: 44 }, (_, number) => come(`place ${number % 11}`))
  const mine = come('here')
  open()
  expect(await mine).toBe('here')
  const replies = await Promise.all(guesses)
  expect(replies).toContain('turned away')
  expect(done.length).toBeLessThanOrEqual(41)
})

test('[AC151] work that fails fails for who asked alone', async () => {
  const turn = inTurns(limits)
  await expect(turn('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const throwing = (): never => {
    throw new Error('at once')
  }
  await expect(turn('a', throwing)).rejects.toThrow('at once')
  expect(await turn('a', async () => 1)).toBe(1)
})
