import { expect, test } from 'vitest'
import { weighedLog } from '../../test/weighed-session.ts'
import { searchText } from './archive.ts'

test('[S13] what a seat says of others and of the question is found, but not what it quotes', () => {
  const text = searchText(weighedLog)
  expect(text).toContain('A taco is folded.')
  expect(text).toContain('“Sandwich” as the law uses the word.')
  expect(text).not.toContain('a hot dog is a taco')
})
