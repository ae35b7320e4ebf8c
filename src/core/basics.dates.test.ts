import { expect, test } from 'vitest'
import { dayText, timeText, utcDayText, weekdayTime } from './basics.ts'

/** By the reader's clock, wherever this runs. */
const local = new Date(2026, 10, 18, 9, 5).toISOString()

test('[U285] dates and times have one form', () => {
  expect(dayText(local)).toBe('Nov 18, 2026')
  expect(utcDayText('2026-11-18T23:59:00.000Z')).toBe('Nov 18, 2026')
  expect(utcDayText('2026-11-18')).toBe('Nov 18, 2026')
  expect(timeText(local)).toBe('Nov 18, 2026, 09:05')
  expect(weekdayTime(local)).toBe('Wed 09:05')
  const midnight = new Date(2026, 10, 18, 0, 0).toISOString()
  expect(weekdayTime(midnight)).toBe('Wed 00:00')
})
