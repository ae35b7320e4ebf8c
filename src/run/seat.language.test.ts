import { expect, test } from 'vitest'
import { driftOf, languageCode, languageOf } from './seat.ts'

test.each([
  ['Is Paris the capital of France?', 'en'],
  ['Wie weit ist der Mond entfernt?', 'de'],
  ['¿Debemos usar Rust o Go?', 'es'],
  ['月はどのくらい遠いですか。教えてください。', 'ja'],
  ['Is a hot dog a sandwich?', 'en'],
  ['Best pizza topping?', 'en'],
  ['Quelle est la capitale?', 'fr'],
  ['2 + 2 = ?', null],
])('[R3] the language of a question: %s', async (text, language) => {
  expect(await languageOf(text)).toBe(language)
})

test('[R3] a wrong language is reported only if it is clear', async () => {
  const french =
    'N’oublie pas que ta puissance n’est qu’un outil, c’est dans tes silences que résidera ton humanité.'
  expect(await driftOf(french, 'en')).toBe('fr')
  expect(await driftOf(french, 'fr')).toBe(null)
  expect(await driftOf(french, null)).toBe(null)
  expect(await driftOf('Oui.', 'en')).toBe(null)
  expect(
    await driftOf('The French say “c’est la vie”, and the answer is that it depends on the city.', 'en'),
  ).toBe(null)
})

test.each([
  ['fr', 'fr'],
  ['French', 'fr'],
  ['français', 'fr'],
  ['Deutsch', 'de'],
  ['english', 'en'],
])('[R3] a language by its code or name: %s', (wish, code) => {
  expect(languageCode(wish)).toBe(code)
})

test('[R3] an unknown language says what to write', () => {
  expect(() => languageCode('Klingonish')).toThrow(/a name such as French, or a code such as fr/)
})
