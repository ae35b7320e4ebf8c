import { expect, test } from 'vitest'
import { directionOf } from './controls.tsx'

test('[U101] a text runs the way of most of its letters', () => {
  expect(directionOf('1. “هذا نص من اليمين” in English')).toBe('rtl')
  expect(directionOf('GLM 4.7: هذا نص من اليمين إلى اليسار')).toBe('rtl')
  expect(directionOf('- זה ספק')).toBe('rtl')
  expect(directionOf('In English: هذا نص')).toBe('ltr')
  expect(directionOf('…')).toBe('ltr')
})
