import { expect, test } from 'vitest'
import { sampleLog } from '../../../test/sample-session.ts'
import { fold } from '../../core/fold.ts'
import { differencesOf } from './compare.tsx'

test('[U64] what two sessions share is left out, and what differs is named', () => {
  const session = fold(sampleLog)
  expect(differencesOf(session, session)).toEqual([])
  const other = { ...session, protocol: 'poll', names: 'shown' as const }
  expect(differencesOf(session, other).map(({ label }) => label)).toEqual(['Protocol', 'Names'])
})
