import { expect, test } from 'vitest'
import { perMinute } from './guards.ts'

test('[H75] a clock that is set back refuses nobody for longer than a minute', () => {
  let now = 10_000_000
  const count = perMinute(1, () => now)
  count('one')
  expect(() => count('one')).toThrow('Too many requests')
  now -= 3_600_000
  expect(() => count('one')).not.toThrow()
  expect(() => count('one')).toThrow('Try again in 60 seconds')
})
