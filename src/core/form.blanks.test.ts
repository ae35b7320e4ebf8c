import { expect, test } from 'vitest'
import { blanksOf, filledIn, listBlanks } from './form.ts'

const template = {
  question: 'Is {{city}} better than {{other-city}} for {{city}}?',
  options: ['{{answers}}', 'Something with {{city}}'],
  unit: '{{unit}}',
}

test('[Q230] the blanks of a template are found in its texts, each once', () => {
  expect(blanksOf(template)).toEqual(['city', 'other-city', 'answers', 'unit'])
  expect(listBlanks(template)).toEqual(['answers'])
  expect(blanksOf({ question: '{{}} {{a b}} {x} {{"y"}}' })).toEqual([])
})

test('[Q231] what is filled in is not looked at for blanks again, and a list becomes options', () => {
  const fill = { city: '{{other-city}}', 'other-city': ' Oslo ', answers: 'Yes | No, never', unit: 'km' }
  expect(filledIn(template, fill)).toEqual({
    question: 'Is {{other-city}} better than Oslo for {{other-city}}?',
    options: ['Yes', 'No, never', 'Something with {{other-city}}'],
    unit: 'km',
  })
})

test('[Q232] a blank that is missing, empty or unknown is refused by its name', () => {
  const fill = { city: 'A', 'other-city': 'B', answers: 'x,y', unit: ' ' }
  expect(() => filledIn(template, fill)).toThrow('not filled in: unit.')
  expect(() => filledIn(template, { ...fill, unit: 'km', country: 'C' })).toThrow('no blank "country"')
})
