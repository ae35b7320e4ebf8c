import { expect, test } from 'vitest'
import { PositionTaken } from '../store/store.ts'
import { located, modelErrorKinds, UsageError, wordingOf } from './basics.ts'

test('[Q50] errors are recognised across two copies of the package', () => {
  // What another copy throws: its classes are others, the symbols are the same.
  const foreign = (name: string) =>
    Object.assign(new Error('x'), { [Symbol.for(`roundtable.error.${name}`)]: true })
  expect(UsageError.isInstance(new UsageError('x'))).toBe(true)
  expect(UsageError.isInstance(foreign('usage'))).toBe(true)
  expect(PositionTaken.isInstance(new PositionTaken('s', 1))).toBe(true)
  expect(PositionTaken.isInstance(foreign('position-taken'))).toBe(true)
  for (const other of [new Error('x'), foreign('position-taken'), 'x', null, undefined])
    expect(UsageError.isInstance(other)).toBe(false)
})

test('[Q51] an error keeps its kind when words are put in front of it', () => {
  const error = new UsageError('Nobody is seated.', 'no-seats', { lineup: 'duo' })
  expect(located('a.json', error)).toMatchObject({
    message: 'a.json: Nobody is seated.',
    kind: 'no-seats',
    data: { lineup: 'duo' },
  })
  const other = new TypeError('x')
  expect(located('a.json', other)).toBe(other)
  expect(new UsageError('x').kind).toBe('invalid')
})

test('[Q51] what to do about a failed model fits every face', () => {
  for (const kind of modelErrorKinds) expect(wordingOf(kind).advice).not.toMatch(/--[a-z]|roundtable /)
})
