import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionOf, type Setting, table } from '../../test/contracts/core-testing.ts'
import { maskFor, unmasked, withNames } from './mask.ts'

fc.configureGlobal({ seed: 2026 })

const mask = (text: string, setting: Setting = {}): string => maskFor(table(setting).session)(text)

test.each([
  ['I am Claude Sonnet 4.6.', 'I am [a model].'],
  ['claude-sonnet-4-6 says', '[a model] says'],
  ['CLAUDE  SONNET 4.6', '[a model]'],
  ['anthropic/claude-sonnet-4-6', '[a model]'],
  ['GPT5.5 and GLM4.7', '[a model] and [a model]'],
  ['As ChatGPT, I say yes, as GPT-5.5 would.', 'As [a model], I say yes, as [a model] would.'],
  ['I, Claude, object. As Claude, I object.', 'I, [a model], object. As [a model], I object.'],
  ['As Gemini Pro, I agree; as Mistral I do not.', 'As [a model], I agree; as [a model] I do not.'],
  ["I'm Grok, and I was made by xAI.", "I'm [a model], and I was made by [a model]."],
  [
    'My name is ChatGPT. I am a model trained by OpenAI',
    'My name is [a model]. I am a model trained by [a model]',
  ],
  ['Grok here: no.', '[a model] here: no.'],
])('[N1] %j reaches the others as %j', (text, masked) => {
  expect(mask(text)).toBe(masked)
})

test.each([
  'Google was fined by the EU, as Google itself says.',
  'Regulators such as Google, Apple and Anthropic disagree.',
  'The llama and the gemini are old; a mistral blows; to grok is to understand.',
  'older ones: GPT-4, Gemini 2.5, Mistral',
  'Was it made by OpenAI, or by Google DeepMind?',
  'grokking, metaphor, the lab, m1x',
])('[N2] %j is said of nobody at the table, and stays', text => {
  expect(mask(text)).toBe(text)
})

test('[N2] the names of endpoints and of people stay, and so does every ordinary sentence', () => {
  const seats = [
    ['home', 'home/llama'],
    ['work', 'work/mistral-7b'],
    ['ada', 'person/ada'],
    ['Office', 'house/tiny'],
    ['Cohere', 'cohere/command-r'],
  ].map(([name = '', model = ''], at) => ({
    ...{ id: `s${at}`, alias: 'ABCDE'[at]!, name, model },
    ...(name === 'ada' && { person: true }),
  }))
  for (const text of [
    'Working from home is better, and an office at work costs a lot: buy a house.',
    'These words are of ada alone.',
    'The two arguments cohere, as Ada says.',
    'The house, tiny as it is, stays.',
  ])
    expect(mask(text, { seats })).toBe(text)
  expect(mask('I am ada. As Cohere, I think mistral-7b is right.', { seats })).toBe(
    'I am [a model]. As [a model], I think [a model] is right.',
  )
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...'home work house ada cohere the of says is'.split(' '))),
      words => {
        const text = `We know that ${words.join(' ')}.`
        expect(mask(text, { seats })).toBe(text)
      },
    ),
  )
})

test('[N3] names that the question itself uses stay, in text, options and attachments', () => {
  const answer = 'I am Claude; I am Gemini; I am Grok.'
  expect(mask(answer, { question: questionOf({ text: 'Is Claude better than Gemini?' }) })).toBe(
    'I am Claude; I am Gemini; I am [a model].',
  )
  expect(mask(answer, { question: questionOf({ format: 'choice', options: ['Claude', 'Grok'] }) })).toBe(
    'I am Claude; I am [a model]; I am Grok.',
  )
  const attachments = [{ name: 'a.txt', text: 'all about gemini' }]
  expect(mask(answer, { question: questionOf({ attachments }) })).toBe(
    'I am [a model]; I am Gemini; I am [a model].',
  )
})

test('[N4] where names are shown, nothing is masked; the same seats can be asked again with names hidden', () => {
  const { session } = table()
  const open = (names: 'hidden' | 'shown') => maskFor({ ...session, names })('I am Claude')
  expect([open('shown'), open('hidden'), open('shown')]).toEqual([
    'I am Claude',
    'I am [a model]',
    'I am Claude',
  ])
})

test('[N5] what is masked never becomes the letter of a seat', () => {
  const { session } = table()
  fc.assert(
    fc.property(fc.constantFrom(...session.seats), fc.lorem(), ({ name }, words) => {
      const text = maskFor(session)(`${words} ${name}: as ${name}, I say ${words}`)
      expect(text).not.toMatch(/[Ss]eat/)
      expect(text).toBe(`${words} [a model]: as [a model], I say ${words}`)
    }),
  )
})

test('[N53] people read the words that a seat wrote where a peer quoted what was shown', () => {
  const { session } = table()
  const wrote = 'As Claude, I say that GPT-5.5 (a machine) is right.\nSo it is.'
  const shown = maskFor(session)(wrote)
  expect(unmasked(session, 'I say that [a model] (a machine)', ['x', wrote])).toBe(
    'I say that GPT-5.5 (a machine)',
  )
  expect(unmasked(session, shown, [wrote])).toBe(wrote)
  expect(unmasked(session, 'Nobody [a model] said', [wrote])).toBe('Nobody [a model] said')
  expect(unmasked(session, 'It wrote [a model]', ['It wrote [a model].'])).toBe('It wrote [a model]')
})

test('[N1] a seat without a usable name masks nothing', () => {
  const seats = [{ id: 's1', alias: 'A', name: '—', model: 'x' }]
  expect(mask('x — y', { seats })).toBe('x — y')
})

test('[N1] no full name of a model survives, however it is spaced', () => {
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
      expect(maskFor(session)(`${before} (${spell(name)}) ${after}`)).toContain('([a model])')
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
