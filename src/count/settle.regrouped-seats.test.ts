import { expect, test } from 'vitest'
import { regroupedSeats } from './settle.ts'

const sealed = {
  camps: [
    { id: 'c1', seats: ['s1', 's2'] },
    { id: 'c2', seats: ['s3', 's4'] },
  ],
}
const final = { camps: [{ id: 'c1', seats: ['s1', 's2', 's3', 's4', 's5'] }] }

test('[U147] a seat in another camp is named if it did not change its mind, and no other', () => {
  expect(regroupedSeats({ sealed, final, ledger: [{ seat: 's4' }] })).toEqual(['s3'])
  expect(regroupedSeats({ sealed, final, ledger: [{ seat: 's3' }, { seat: 's4' }] })).toEqual([])
  expect(regroupedSeats({ sealed: null, final, ledger: [] })).toEqual([])
})
