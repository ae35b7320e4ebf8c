import { expect, test } from 'vitest'
import { discussed } from '../../test/contracts/store-archive-contract.ts'
import { memoryStore } from './memory.ts'
import { readingAgain } from './postgres.ts'

const broken = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

/** An archive whose calls fail so often, and those that were made. */
const failing = (times: number, error: Error) => {
  const store = memoryStore()
  const calls: string[] = []
  const fail = (name: string): void => {
    calls.push(name)
    if (calls.length <= times) throw error
  }
  const archive = readingAgain({
    ...store,
    async read(...given) {
      fail('read')
      return store.read(...given)
    },
    async append(...given) {
      fail('append')
      return store.append(...given)
    },
  })
  return { archive, calls }
}

const log = discussed('one', 'Why?', 'So.', 'Sum.')

test('[J19] a read whose connection broke is made once more', async () => {
  const { archive, calls } = failing(1, broken())
  expect(await archive.read('one')).toEqual([])
  expect(calls).toEqual(['read', 'read'])
})

test('[J19] a database that stays away, and any other error, is told', async () => {
  const away = failing(2, broken())
  await expect(away.archive.read('one')).rejects.toThrow('terminating connection')
  const odd = failing(1, new Error('odd'))
  await expect(odd.archive.read('one')).rejects.toThrow('odd')
  expect([away.calls.length, odd.calls.length]).toEqual([2, 1])
})

test('[J19] what writes is not made again: it may have been carried out', async () => {
  const { archive, calls } = failing(1, broken())
  await expect(archive.append('one', log)).rejects.toThrow('terminating connection')
  expect(calls).toEqual(['append'])
})
