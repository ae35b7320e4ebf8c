import { expect, test } from 'vitest'
import { searchPrefixIn } from './archive.ts'

test.each([
  ['uni', { before: '', beginning: 'uni' }],
  ['the "hot dog" sta', { before: 'the "hot dog" ', beginning: 'sta' }],
  ['東', { before: '', beginning: '東' }],
  ['done ', undefined],
  ['"hot do', undefined],
  ['"done"', undefined],
  ['hot -do', undefined],
  ['well-kn', undefined],
  ['', undefined],
])('[S30] whether the last word of %j may be incomplete', (words, begun) => {
  expect(searchPrefixIn(words)).toEqual(begun)
})
