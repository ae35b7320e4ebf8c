import { describe, expect, test } from 'vitest'
import { questionOf, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { changedSentence } from './moves.ts'

const cited = (choice: string, seat: string, verified = true) => ({
  ...{ headline: choice, choice },
  credit: { seat, quote: 'Because of reasons', verified },
})
const log = (seats: number) => table({ seats, question: yesOrNo })

describe('[V73] who changed its mind is one sentence beside the verdict', () => {
  test('one seat, with the peer whose words were found', () => {
    const asked = log(3).round(0, ['Yes', 'Yes', 'No'])
    expect(changedSentence(asked.round(1, ['Yes', 'Yes', cited('Yes', 's1')]).session)).toBe(
      'Grok 4.20 changed its mind, citing GLM 4.7.',
    )
    expect(changedSentence(asked.round(1, ['Yes', 'Yes', cited('Yes', 's1', false)]).session)).toBe(
      'Grok 4.20 changed its mind.',
    )
  })

  test('[V85] one that still disagrees with the majority did not come over to it', () => {
    const rail = questionOf({ format: 'choice', options: ['Rail', 'Road', 'Ship'] })
    const said = (choice: string) => ({ headline: choice, choice })
    const moved = table({ seats: 4, question: rail })
      .round(0, ['Rail', 'Rail', 'Rail', 'Road'])
      .round(1, ['Rail', 'Rail', 'Rail', said('Ship')])
    expect(changedSentence(moved.session)).toBe('Claude Sonnet 4.6 changed its mind, and still disagrees.')
    const two = table({ seats: 5, question: rail })
      .round(0, ['Rail', 'Rail', 'Road', 'Road', 'Rail'])
      .round(1, ['Rail', 'Rail', cited('Rail', 's1'), said('Ship'), 'Rail'])
    expect(changedSentence(two.session)).toMatch(
      /^2 of 5 models changed their minds: .* \(citing GLM 4.7\) and .* \(still disagrees\)\.$/,
    )
  })

  test('several are named; more than four are a number', () => {
    const few = log(3)
      .round(0, ['Yes', 'No', 'No'])
      .round(1, ['Yes', 'Yes', cited('Yes', 's1')])
    expect(changedSentence(few.session)).toBe(
      '2 of 3 models changed their minds: Gemini 3.5 Flash and Grok 4.20 (citing GLM 4.7).',
    )
    const many = log(6)
      .round(0, ['Yes', 'No', 'No', 'No', 'No', 'No'])
      .round(1, ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'Yes'])
    expect(changedSentence(many.session)).toBe('5 of 6 models changed their minds.')
  })

  test('other numbers of the same camp, and seats that answered later, are told apart from it', () => {
    const distance = questionOf({ format: 'number', unit: 'km', tolerance: '50%' })
    const numbers = table({ seats: 3, question: distance })
      .round(0, [100, 110, 120])
      .round(1, [100, 111, 119])
    expect(changedSentence(numbers.session)).toBe('No model changed its mind; 2 adjusted their numbers.')
    const later = log(3).round(0, ['Yes', 'Yes', silent()]).round(1, ['Yes', 'Yes', 'Yes'])
    expect(changedSentence(later.session)).toBe(
      'No model changed its mind. Grok 4.20 answered only after the sealed round.',
    )
  })

  test('nobody did, or nobody could', () => {
    const sealed = log(2).round(0, ['Yes', 'No'])
    expect(changedSentence(sealed.session)).toBeUndefined()
    expect(changedSentence(sealed.round(1, ['Yes', 'No']).session)).toBe('No model changed its mind.')
  })
})
