import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { checkedPassword, guessCounter, passwordsIn, usualCost } from './accounts.ts'

const password = 'correct horse battery'
const here = { account: 'ada', address: 'here' }

test('[AC34] a password is stored as a salted scrypt hash with its parameters, and checked by them', async () => {
  const archive = memoryStore()
  const passwords = passwordsIn(archive)
  await passwords.set('ada', password)
  await passwordsIn(archive, { N: 2 ** 4, r: 8, p: 1 }).set('bob', password)
  const [ada, bob] = [await archive.record('password', 'ada'), await archive.record('password', 'bob')]
  expect(ada).toMatchObject({ ...usualCost, N: 131_072 })
  expect(JSON.stringify([ada, bob])).not.toContain(password)
  for (const person of ['ada', 'bob']) {
    expect(await passwords.isRight(person, password, here)).toBe(true)
    expect(await passwords.isRight(person, `${password}!`, here)).toBe(false)
  }
})

test('[AC34] nobody without a password gets in, and short or endless ones are refused', async () => {
  const passwords = passwordsIn(memoryStore(), { N: 2 ** 4, r: 8, p: 1 })
  expect(await passwords.isRight(undefined, password, here)).toBe(false)
  expect(await passwords.isRight('nobody', password, here)).toBe(false)
  expect(await passwords.isRight('nobody', 'x'.repeat(1_000_000), here)).toBe(false)
  await expect(passwords.set('ada', 'short')).rejects.toThrow('12 to 500 characters')
  await expect(passwords.set('ada', 'x'.repeat(501))).rejects.toThrow('12 to 500 characters')
})

test('[AC34] sign-ins wait for each other, and too many at once are told to come back', async () => {
  const passwords = passwordsIn(memoryStore(), { N: 2 ** 10, r: 8, p: 1 })
  const tries = await Promise.allSettled(
    Array.from({ length: 60 }, (_, number) =>
      passwords.isRight('ada', password, { account: `${number}`, address: `place ${number}` }),
    ),
  )
  const turnedAway = tries.filter(({ status }) => status === 'rejected')
  // One is under way, and 40 wait.
  expect(turnedAway).toHaveLength(19)
  expect(String((turnedAway[0] as PromiseRejectedResult).reason)).toContain('Try again in a minute')
})

test('[AC281] wrong tries slow an account down before its password is looked at, and no browser that is known', async () => {
  let now = 1_000_000_000
  const passwords = passwordsIn(memoryStore(), { N: 2 ** 4, r: 8, p: 1 }, () => now)
  await passwords.set('ada', password)
  const from = (address: string) => ({ account: 'ada', address })
  for (let guess = 0; guess < 5; guess++)
    expect(await passwords.isRight('ada', `wrong ${guess}`, from(`stranger ${guess}`))).toBe(false)
  await expect(passwords.isRight('ada', password, from('anywhere'))).rejects.toThrow('Try again in 1 seconds')
  const mark = (await passwords.browserMark('ada'))!
  expect(await passwords.browserWith('bob', mark)).toBeUndefined()
  expect(await passwords.browserWith('ada', `${mark}x`)).toBeUndefined()
  const browser = (await passwords.browserWith('ada', mark))!
  expect(await passwords.isRight('ada', password, { browser })).toBe(true)
  now += 1_000
  expect(await passwords.isRight('ada', 'wrong', from('anywhere'))).toBe(false)
  now += 1_000
  await expect(passwords.isRight('ada', password, from('anywhere'))).rejects.toThrow('Try again in 1 seconds')
  now += 1_000
  expect(await passwords.isRight('ada', password, from('anywhere'))).toBe(true)
  await passwords.set('ada', 'another horse battery')
  expect(await passwords.browserWith('ada', mark)).toBeUndefined()
})

test('[AC281] a day of guessing at one account, all the time and from everywhere, is a few hundred tries', () => {
  let now = 1_000_000_000
  const begin = guessCounter(() => now)
  let tries = 0
  for (let second = 0; second < 86_400; second += 10) {
    now += 10_000
    try {
      begin({ account: 'ada', address: `${second}` })
      tries++
    } catch {}
  }
  expect(tries).toBeLessThan(310)
  // Nobody waits for longer than five minutes, also if the clock is set back.
  now -= 3_600_000
  expect(() => begin({ account: 'ada', address: 'mine' })).not.toThrow()
})

test('[AC282] tries from one address count, those that an account’s delay refuses among them, and right ones don’t', () => {
  const begin = guessCounter(() => 1_000_000_000)
  for (let login = 0; login < 100; login++) begin({ account: `${login}`, address: 'an office' })()
  for (let guess = 0; guess < 30; guess++)
    try {
      begin({ account: 'ada', address: 'there' })
    } catch {}
  expect(() => begin({ account: 'bob', address: 'there' })).toThrow('Too many wrong tries')
  expect(() => begin({ account: 'bob', address: 'here' })).not.toThrow()
})

test.each([
  ...['aaaaaaaaaaaa', 'abcabcabcabc', 'password1234', 'PassWord!2026', 'Passw0rd2026!', 'qwertyuiop123'],
  ...['123456789012', 'iloveyou1234', 'adminadmin12', 'Summer2026!!', 'asdfghjkl;12', 'testtesttest'],
])('[AC283] %s is refused as a password: it is one of the first that people try', common => {
  expect(() => checkedPassword(common)).toThrow('one of the first that people try')
})

test('[AC283] other passwords are taken', () => {
  for (const good of [
    password,
    'another horse battery',
    'gK7#pw2vLq9d',
    'пять синих коней',
    'mypasswordisfine',
  ])
    expect(checkedPassword(good)).toBe(good)
})
