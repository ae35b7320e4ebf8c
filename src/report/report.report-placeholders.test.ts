import { expect, test } from 'vitest'
import { type Said, seatsOf, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { withNames } from '../core/mask.ts'
import { placeholderLines, placeholderProblems, withCounts } from './report.ts'

const convinced: Said = {
  headline: 'Yes',
  choice: 'Yes',
  credit: { seat: 's1', quote: 'the bridge carries', verified: true },
}
const sealed: readonly Said[] = ['Yes', 'Yes', 'Yes', 'No', 'No', 'No']
const open: readonly Said[] = ['Yes', 'Yes', 'Yes', convinced, 'No', silent()]
const moved = table({ question: yesOrNo, language: 'en' }).round(0, sealed).round(1, open).session
const tied = table({ question: yesOrNo }).round(0, sealed).session

const filled = (text: string, session = moved): string => withNames(session, withCounts(session, text))

test('[E9] placeholders become figures and names', () => {
  expect(filled('{agreement} models agree on {leading}.')).toBe('4 of 6 models agree on “Yes”.')
  expect(filled('{moved} moved, {dissent} dissents, {absent} was silent.')).toBe(
    'Claude Sonnet 4.6 moved, GPT-5.5 and Mistral Medium 3.1 dissents, Mistral Medium 3.1 was silent.',
  )
  expect(filled('{{Agreement}} agree')).toBe('4 of 6 agree')
})

test('[E9] they read well in another language', () => {
  const french = { ...moved, language: 'fr' }
  expect(filled('{agreement} modèles sont d’accord', french)).toBe('4/6 modèles sont d’accord')
  const two = table({ question: yesOrNo, language: 'fr' }).round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'])
  expect(filled('{dissent} disent non', two.session)).toBe('GPT-5.5 et Mistral Medium 3.1 disent non')
})

test('[E9] a long list of seats becomes a figure', () => {
  const seats = seatsOf(30)
  const said = seats.map((_, index) => (index < 20 ? 'Yes' : 'No'))
  expect(
    filled('{dissent} dissent', table({ seats, question: yesOrNo, language: 'en' }).round(0, said).session),
  ).toBe('10 of 30 dissent')
})

test('[E9] an open position is quoted in its own words', () => {
  const log = table({ seats: 2, moderator: null }).round(0, ['Build it now.', 'Build it now.'])
  expect(filled('The table says {leading}.', log.session)).toBe('The table says “Build it now”.')
})

test('[E10] what doesn’t exist or has nothing to fill in is named with the reason', () => {
  expect(placeholderProblems(moved, '{agreement} {leading} {dissent} {moved} {absent}')).toEqual([])
  expect(placeholderProblems(moved, '{majority} and {Übereinstimmung}')).toEqual([
    "{majority} isn't a placeholder",
    "{übereinstimmung} isn't a placeholder",
  ])
  expect(placeholderProblems(tied, '{agreement}, {leading}, {dissent}, {moved}, {absent}')).toEqual([
    "{agreement} can't be used, because no position leads",
    "{leading} can't be used, because no position leads",
    "{dissent} can't be used, because nobody dissents",
    "{moved} can't be used, because nobody changed its mind",
    "{absent} can't be used, because every seat answered",
  ])
  expect(placeholderLines(tied)).toEqual([])
})

test('[E10] braces in code and formulas stay as they are', () => {
  const text = 'Write `{name}` or \\frac{abc}{def}, x^{max} and {a}.'
  expect(placeholderProblems(moved, text)).toEqual([])
  expect(filled(text)).toBe(text)
})

test('[E14] a text of nothing but placeholders is refused', () => {
  expect(placeholderProblems(moved, '{leading} '.repeat(50))).toEqual([])
  expect(placeholderProblems(moved, '{leading} '.repeat(51))).toEqual(['there are more than 50 placeholders'])
})
