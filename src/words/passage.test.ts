import { expect, test } from 'vitest'
import { type PassagePart, passageOf } from './passage.ts'

const shown = (parts: readonly PassagePart[] | undefined): string =>
  (parts ?? []).map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

const passage = (texts: readonly string[], words: string): string =>
  shown(
    passageOf(
      texts.map(text => ({ text })),
      words,
    )?.parts,
  )

test('[U118] the passage of the text that has most of the words is cut out, with the words marked', () => {
  expect(passage(['Nothing here.', 'A **bun** is one piece of bread.'], 'bread bun')).toBe(
    'A [bun] is one piece of [bread].',
  )
  const long = `${'Before it all. '.repeat(20)}The car is behind door two. ${'And so on. '.repeat(40)}`
  expect(passage([long], 'door')).toMatch(/^…[^[]{40,70}\[door\] two\. .{100,180}…$/)
  expect(passage(['Piano tuning is rare.'], 'tuner')).toBe('Piano [tuning] is rare.')
  expect(passage(['Sandwiches all day.'], 'sandw')).toBe('[Sandwiches] all day.')
  expect(passage(['A bun.', 'Bread.'], 'bread -bun')).toBe('[Bread].')
  expect(passage(['A bun.'], 'taco')).toBe('')
  expect(passage(['A bun.'], '  ')).toBe('')
})

test('[U118] a passage is found in any script, and a text of any length takes no longer than its length', () => {
  expect(passage(['Ответ: Москва стоит.'], 'москва')).toBe('Ответ: [Москва] стоит.')
  expect(passage([`${'a'.repeat(100_000)} end`], 'end').length).toBeLessThan(400)
})
