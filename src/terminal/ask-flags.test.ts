import { expect, test } from 'vitest'
import { askInput } from './ask-flags.ts'

test('[T27] what no flag says is left open', () => {
  expect(askInput('Why?', {}, '/')).toEqual({ question: 'Why?' })
})

test('[T27] flags say what they say; none means no moderator', () => {
  const flags = { seats: 'lab/a, lab/b', moderator: 'none', rounds: '0', budget: '0.5', deadline: '30' }
  expect(askInput('Why?', flags, '/')).toEqual({
    question: 'Why?',
    seats: ['lab/a', 'lab/b'],
    moderator: null,
    rounds: 0,
    budget: { usd: 0.5 },
    deadline: 30,
  })
  expect(askInput('Why?', { lineup: 'duo' }, '/')).toEqual({ question: 'Why?', lineup: 'duo' })
})

test('[T45] temperature and effort go to all seats, and are refused out of their range', () => {
  expect(askInput('Why?', { temperature: '0.5', effort: 'high' }, '/')).toMatchObject({
    temperature: 0.5,
    effort: 'high',
  })
  expect(() => askInput('Why?', { temperature: '3' }, '/')).toThrow(/from 0 to 2/)
  expect(() => askInput('Why?', { effort: 'much' }, '/')).toThrow(/low, medium, high/)
})

test('[T133] a patience is a factor from 1 to 100', () => {
  expect(askInput('Why?', { patience: '2.5' }, '/')).toEqual({ question: 'Why?', patience: 2.5 })
  for (const patience of ['0.5', '101', 'much'])
    expect(() => askInput('Why?', { patience }, '/')).toThrow(/--patience/)
})

test('[T129] a tolerance is an amount or a percentage, and a text has a length in words', () => {
  const read = (flags: object) => askInput('Why?', flags, '/')
  expect(read({ tolerance: '1 000' })).toMatchObject({ tolerance: 1000 })
  expect(read({ tolerance: '0,125' })).toMatchObject({ tolerance: 0.125 })
  expect(read({ tolerance: '10%' })).toMatchObject({ tolerance: '10%' })
  expect(read({ words: '300', camps: true })).toMatchObject({ length: 300, camps: 'intent' })
  for (const tolerance of ['a lot', '0', '-5%', '1,000', '5 k'])
    expect(() => read({ tolerance })).toThrow(/an amount such as 5, or a percentage/)
  for (const words of ['19', '3001', '30.5']) expect(() => read({ words })).toThrow(/--words/)
})
