import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, type Setting, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { maskFor, withNames } from './mask.ts'

fc.configureGlobal({ seed: 2026 })

const mask = (text: string, setting: Setting = {}): string => maskFor(table(setting).session)(text)

test.each([
  ['I am Claude Sonnet 4.6.', 'I am Seat D.'],
  ['claude-sonnet-4-6 says', 'Seat D says'],
  ['CLAUDE  SONNET 4.6', 'Seat D'],
  ['anthropic/claude-sonnet-4-6', 'Seat D'],
  ['made by Anthropic', 'made by Seat D'],
  ['As ChatGPT, or GPT-5.5, by OpenAI', 'As Seat E, or Seat E, by Seat E'],
  ['GPT5.5 and GLM4.7', 'Seat E and Seat A'],
  ['older ones: GPT-4, Gemini 2.5, Mistral', 'older ones: Seat E, Seat B 2.5, Seat F'],
  ['Google DeepMind', 'Seat B Seat B'],
])('[N1] %j reaches the others as %j', (text, masked) => {
  expect(mask(text)).toBe(masked)
})

test('[N2] words inside other words stay', () => {
  const seats = [
    { id: 's1', alias: 'A', name: 'M1', model: 'lab/m1' },
    { id: 's2', alias: 'B', name: 'Gem', model: 'lab/m2' },
  ]
  expect(mask('m10 m1x xm1 m1 gems Gem', { seats })).toBe('m10 m1x xm1 Seat A gems Seat B')
  expect(mask('grokking, metaphor, the lab', { seats: [...seatsOf(3)] })).toBe('grokking, metaphor, the lab')
})

test('[N2] an endpoint’s name is masked only where it tells seats apart', () => {
  const seats = [
    { id: 's1', alias: 'A', name: 'M1', model: 'acme/m1' },
    { id: 's2', alias: 'B', name: 'M2', model: 'globex/m2' },
  ]
  expect(mask('I come from Acme', { seats })).toBe('I come from Seat A')
  expect(mask('Tested in the lab', { seats: seats.map(seat => ({ ...seat, model: 'lab/m' })) })).toBe(
    'Tested in the lab',
  )
})

test('[N3] names that the question itself uses stay, in text, options and attachments', () => {
  const answer = 'Claude beats Gemini; I am Grok.'
  expect(mask(answer, { question: questionOf({ text: 'Is Claude better than Gemini?' }) })).toBe(
    'Claude beats Gemini; I am Seat C.',
  )
  expect(mask(answer, { question: questionOf({ format: 'choice', options: ['Claude', 'Grok'] }) })).toBe(
    'Claude beats Seat B; I am Grok.',
  )
  const attachments = [{ name: 'a.txt', text: 'all about gemini' }]
  expect(mask(answer, { question: questionOf({ attachments }) })).toBe('Seat D beats Gemini; I am Seat C.')
})

test('[N4] where names are shown, nothing is masked; the same seats can be asked again with names hidden', () => {
  const { session } = table()
  const open = (names: 'hidden' | 'shown') => maskFor({ ...session, names })('I am Claude')
  expect([open('shown'), open('hidden'), open('shown')]).toEqual([
    'I am Claude',
    'I am Seat D',
    'I am Claude',
  ])
})

test('[N5] a name that two seats share says "a seat"', () => {
  const seats = seatsOf(2).map(seat => ({
    ...seat,
    name: `Claude ${seat.id}`,
    model: `anthropic/claude-${seat.id}`,
  }))
  expect(mask('Claude s1, made like Claude s2 by Anthropic', { seats })).toBe(
    'Seat A, made like Seat B by a seat',
  )
})

test('[N1] a seat without a usable name masks nothing', () => {
  const seats = [{ id: 's1', alias: 'A', name: '—', model: 'x' }]
  expect(mask('x — y', { seats })).toBe('x — y')
})

test('[N1] no name, model or maker survives, however it is spaced', () => {
  const { session } = table()
  const names = session.seats.flatMap(seat => [seat.name, seat.model, seat.model.split('/')[1]!])
  const spelling = fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.replaceAll(/[ .-]/g, '-'),
    (name: string) => name.replaceAll(/[ .-]/g, ''),
    (name: string) => name.replaceAll(/[ -]/g, '  '),
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), spelling, fc.lorem(), fc.lorem(), (name, spell, before, after) => {
      expect(maskFor(session)(`${before} (${spell(name)}) ${after}`)).toMatch(/\(Seat [A-F]\)/)
    }),
  )
})

test('[N6] people read names where the moderator wrote letters', () => {
  const { session } = table()
  expect(withNames(session, 'Seat A moved seat F; Seat Z, Seat and seat a stay.')).toBe(
    'GLM 4.7 moved Mistral Medium 3.1; Seat Z, Seat and seat a stay.',
  )
  expect(withNames(session, 'Seats A, B and C agree; seats A and Z do not.')).toBe(
    'GLM 4.7, Gemini 3.5 Flash and Grok 4.20 agree; seats A and Z do not.',
  )
})
