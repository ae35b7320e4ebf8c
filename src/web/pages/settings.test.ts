import { expect, test } from 'vitest'
import { checkupWords, type SetupFinding, tableWords } from './settings.tsx'

test('[U282] the choice without a table of one’s own is called what it is', () => {
  expect(tableWords([], false, [])).toEqual({
    label: 'None: choose each time',
    hint: expect.stringMatching(/^No table is chosen yet\./),
  })
  const two = ['lab/a', { model: 'lab/b', name: 'Doubter' }]
  expect(tableWords(two, false, [])).toEqual({
    label: 'Automatic',
    hint: 'Automatic means lab/a and Doubter now.',
  })
  // Who would sit there without the saved table isn't known, so nothing is promised.
  for (const words of [tableWords(two, true, []), tableWords(undefined, false, [])])
    expect(words.hint).toBe('Roundtable seats models that are ready, or you choose them each time.')
  expect(tableWords(two, true, []).label).not.toBe('Automatic')
})

test('[U283] a check of the setup is told in a sentence', () => {
  const provider = (state: SetupFinding['state']): SetupFinding => ({
    subject: state,
    state,
    key: 'no key',
    words: '',
  })
  const other: SetupFinding = { subject: 'table', state: 'note', words: 'nobody by default' }
  expect(checkupWords([provider('good'), other], 0)).toBe('1 of 1 provider answers. No default table.')
  expect(checkupWords([provider('good'), provider('bad'), provider('good')], 6)).toBe(
    '2 of 3 providers answer. The default table has 6 seats.',
  )
  expect(checkupWords([other], undefined)).toBe('No provider is set up.')
})
