import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { kindCorrected } from '../count/acts.ts'
import { sureSentence } from './words.ts'

const sure = (confidence: number) => ({ headline: 'Yes', choice: 'Yes', confidence })

test('[V87] how sure the seats say they are is one sentence, and none in a matter of taste', () => {
  const said = table({ seats: 3, question: yesOrNo }).round(0, [sure(0.57), sure(0.8), sure(0.7)])
  expect(sureSentence(said.session)).toBe('They say they are 57–80% sure.')
  const alike = table({ seats: 2, question: yesOrNo }).round(0, [sure(0.7), sure(0.7)])
  expect(sureSentence(alike.session)).toBe('They say they are 70% sure.')
  const one = table({ seats: 1, question: yesOrNo }).round(0, [sure(0.7)])
  expect(sureSentence(one.session)).toBeUndefined()
  const few = table({ seats: 6, question: yesOrNo })
    .round(0, [sure(0.6), sure(0.9)])
    .stop()
  expect(sureSentence(few.session)).toBeUndefined()
  expect(sureSentence(said.and(kindCorrected(said.session, 'taste')).session)).toBeUndefined()
})
