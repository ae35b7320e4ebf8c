import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { passwordsIn, usualCost } from './accounts.ts'

const password = 'correct horse battery'

test('[AC34] a password is stored as a salted scrypt hash with its parameters, and checked by them', async () => {
  const archive = memoryStore()
  const passwords = passwordsIn(archive)
  await passwords.set('ada', password)
  await passwordsIn(archive, { N: 2 ** 4, r: 8, p: 1 }).set('bob', password)
  const [ada, bob] = [await archive.record('password', 'ada'), await archive.record('password', 'bob')]
  expect(ada).toMatchObject({ ...usualCost, N: 131_072 })
  expect(JSON.stringify([ada, bob])).not.toContain(password)
  for (const person of ['ada', 'bob']) {
    expect(await passwords.isRight(person, password, 'here')).toBe(true)
    expect(await passwords.isRight(person, `${password}!`, 'here')).toBe(false)
  }
})

test('[AC34] nobody without a password gets in, and short or endless ones are refused', async () => {
  const passwords = passwordsIn(memoryStore(), { N: 2 ** 4, r: 8, p: 1 })
  expect(await passwords.isRight(undefined, password, 'here')).toBe(false)
  expect(await passwords.isRight('nobody', password, 'here')).toBe(false)
  expect(await passwords.isRight('nobody', 'x'.repeat(1_000_000), 'here')).toBe(false)
  await expect(passwords.set('ada', 'short')).rejects.toThrow('12 to 500 characters')
  await expect(passwords.set('ada', 'x'.repeat(501))).rejects.toThrow('12 to 500 characters')
})

test('[AC34] sign-ins wait for each other, and too many at once are told to come back', async () => {
  const passwords = passwordsIn(memoryStore(), { N: 2 ** 10, r: 8, p: 1 })
  const tries = await Promise.allSettled(
    Array.from({ length: 60 }, (_, number) => passwords.isRight('ada', password, `place ${number}`)),
  )
  const turnedAway = tries.filter(({ status }) => status === 'rejected')
  // One is under way, and 40 wait.
  expect(turnedAway).toHaveLength(19)
  expect(String((turnedAway[0] as PromiseRejectedResult).reason)).toContain('Try again in a minute')
})
