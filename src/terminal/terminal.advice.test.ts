import { expect, test } from 'vitest'
import { ServerGone } from '../client/client.ts'
import { UsageError } from '../core/basics.ts'
import { errorWords, modelAdvice } from './terminal.ts'

test('[T109] an error that a flag or a command helps against is shown with it', () => {
  expect(errorWords(new UsageError('Nobody is seated.', 'no-seats'))).toMatch(/^Nobody is seated\. .*--seats/)
  const damaged = new UsageError('It is damaged.', 'damaged-model', { model: 'tiny' })
  expect(errorWords(damaged)).toContain('roundtable house remove tiny')
  expect(errorWords(new UsageError('Two options are the same.'))).toBe('Two options are the same.')
  expect(errorWords(new Error('It broke.'))).toBe('It broke.')
  expect(errorWords(new ServerGone('It is gone.', { session: 's1' }))).toContain('roundtable resume s1')
  expect(modelAdvice('timeout')).toContain('--deadline')
  expect(modelAdvice('overload')).toBe('Try again later, or seat another model.')
})
