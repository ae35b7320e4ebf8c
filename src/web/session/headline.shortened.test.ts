import { expect, test } from 'vitest'
import { shortened } from './headline.tsx'

test('[U104] a folded answer ends where a thought ends', () => {
  expect(shortened('Short.', 20)).toBe('Short.')
  expect(shortened('First thought here.\n\nSecond thought is longer.', 30)).toBe('First thought here.')
  expect(shortened('One is so. Two is so. Three goes on and on.', 25)).toBe('One is so. Two is so.')
  expect(shortened('It costs 3.5 million in all and more words', 20)).toBe('It costs 3.5 …')
  expect(shortened('一つ目の考え。二つ目の考えはもっと長い', 12)).toBe('一つ目の考え。')
  expect(shortened('x'.repeat(50), 20)).toBe(`${'x'.repeat(20)} …`)
})
