import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import type { Question } from '../core/question.ts'
import { replyOutcome } from './reply.ts'
import { readAnswer } from './seat.ts'

fc.configureGlobal({ seed: 2026 })

const value = (question: Question, reply: string): unknown => {
  const { session } = table({ seats: 1, question }).round(0, [])
  const outcome = replyOutcome({ text: reply, finish: 'stop' }, raw => readAnswer(raw, session, 0, 's1'))
  if (!('value' in outcome)) return outcome
  const { choice, ranking, number, headline } = outcome.value
  return { choice, ranking, number, ...(question.format === 'open' && { headline }) }
}

type Body = Readonly<Record<string, unknown>>

const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
const others = fc.record({
  reasoning: fc.oneof(texts, fc.constantFrom('By \\alpha, {x} and "y".', 'One.\nTwo.', 'a </b> c', '`{`')),
  confidence: fc.constantFrom(0.5, '80%', null),
  wouldChangeMind: fc.option(texts),
})

/** Prose that models put around an object. None of it is an object, nor a mark that thinking ends. */
const proses = fc.constantFrom(
  ...['', 'Sure! Here it is:\n\n', 'Let {x} be the answer, and { y.\n', 'The options: {"A", "B"}.\n'],
  ...['**Answer**\n', '1. I compared.\n2. I chose.\n\n', '答案如下：\n', 'He said "{" and left.\n'],
)
const drafts = (body: Body) =>
  fc.constantFrom(
    '',
    `<think>${JSON.stringify(body)} or not?</think>`,
    `${JSON.stringify(body)} Hmm, wrong.</think>\n`,
    '{"note": "not yet"}\n',
    '[THINK]It is {hard}.[/THINK]',
  )
const endings = fc.constantFrom('', '\n', '\n\nI hope this helps!', ' Done {so far}.', '\n\nAsk me for more.')

/** The same object as models spell it: with fences, trailing commas, raw line breaks and other orders of its keys. */
const spelled = (body: Body): fc.Arbitrary<string> =>
  fc
    .record({
      keys: fc.shuffledSubarray(Object.keys(body), { minLength: Object.keys(body).length }),
      indent: fc.constantFrom(0, 2, '\t'),
      comma: fc.boolean(),
      raw: fc.boolean(),
      fence: fc.constantFrom('', '```json\n', '```\n'),
      before: proses,
      draft: drafts({ ...body, choice: 'Maybe', headline: 'A draft' }),
      after: endings,
    })
    .map(({ keys, indent, comma, raw, fence, before, draft, after }) => {
      let json = JSON.stringify(Object.fromEntries(keys.map(key => [key, body[key]])), null, indent)
      if (comma) json = json.replace(/\}$/, ',}')
      if (raw) json = json.replace(/(?<!\\)\\n/g, '\n')
      return `${draft}${before}${fence}${json}${fence === '' ? '' : '\n```'}${after}`
    })

const sameFor = <T>(question: Question, wanted: fc.Arbitrary<T>, bodyOf: (one: T) => fc.Arbitrary<Body>) =>
  fc.assert(
    fc.property(
      wanted.chain(one =>
        fc.tuple(bodyOf(one), others).chain(([body, rest]) => {
          const plain = { ...rest, ...body }
          return fc.tuple(fc.constant(one), spelled(plain))
        }),
      ),
      ([one, reply]) => {
        expect(value(question, reply)).toEqual(one)
      },
    ),
    { numRuns: 300 },
  )

const none = { choice: undefined, ranking: undefined, number: undefined }

describe('[R53] another spelling of the same value is never read as another value', () => {
  const options = ['Yes', 'No', 'Only on weekends', 'C#', '不应该', 'Washington, D.C.']
  const written = (option: string) =>
    fc
      .tuple(
        fc.constantFrom(option, option.toLowerCase(), option.toUpperCase(), option.replace(' ', '  ')),
        fc.constantFrom(['', ''], ['"', '"'], ['**', '**'], [' ', '\n'], ['`', '`'], ['“', '”'], ['(', ')']),
        fc.constantFrom('', '.', ' '),
      )
      .map(([words, [before, after], end]) => `${before}${words}${after}${end}`)

  test('of a choice', () => {
    const question = questionOf({ format: 'choice', options })
    sameFor(
      question,
      fc.constantFrom(...options).map(choice => ({ ...none, choice })),
      ({ choice }) => written(choice).map(words => ({ choice: words, headline: 'So it is' })),
    )
  })

  test('of a ranking', () => {
    const question = questionOf({ format: 'ranking', options: options.slice(0, 5) })
    const listed = (ranking: readonly string[]) =>
      fc.constantFrom<unknown>(
        ranking,
        ranking.join(' > '),
        ranking.join('>'),
        ranking.join(', '),
        ranking.join('; '),
        ranking.map((option, index) => `${index + 1}. ${option}`).join('\n'),
        ranking.map((option, index) => `${index + 1}) ${option}`),
        ranking.map(option => `- ${option}`).join('\n'),
        ranking.map(option => `${option.toLowerCase()}.`),
      )
    sameFor(
      question,
      fc.shuffledSubarray(options.slice(0, 5), { minLength: 5 }).map(ranking => ({ ...none, ranking })),
      ({ ranking }) => listed(ranking).map(one => ({ ranking: one, headline: 'In this order' })),
    )
  })

  /** Spellings of a number that can mean nothing else. */
  const numerals = (number: number) => {
    const plain = String(number)
    const grouped = (locale: string) => number.toLocaleString(locale, { maximumFractionDigits: 15 })
    const isClear = (text: string) => !/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)
    const digits = (zero: number) => plain.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))
    return [
      ...[
        plain,
        `${plain}.`,
        ` ${plain} km`,
        `${plain}km`,
        `≈ ${plain}`,
        `**${plain}**`,
        `about ${plain} km`,
      ],
      ...[0x660, 0x6f0, 0x966, 0xff10].map(digits),
      ...[
        'en-US',
        'de-DE',
        'fr-FR',
        'pt-BR',
        'de-CH',
        'ru-RU',
        'en-IN',
        'ar-EG',
        'fa-IR',
        'hi-IN',
        'it-IT',
        'ja-JP',
      ].map(grouped),
    ].filter(text => isClear(text.replace(/[^\d.,-]/g, '')))
  }

  test('[Q19] of a number', () => {
    const question = questionOf({ format: 'number', unit: 'km' })
    sameFor(
      question,
      fc
        .oneof(
          fc.integer({ min: -1e9, max: 1e12 }),
          fc.integer({ min: -1e7, max: 1e7 }).map(one => one / 100),
        )
        .map(number => ({ ...none, number: number || 0 })),
      ({ number }) =>
        fc
          .constantFrom<unknown>(number, ...numerals(number))
          .map(one => ({ number: one, headline: 'It is' })),
    )
  })

  test('of an open answer', () => {
    const words = fc.constantFrom('Roof first', 'It\'s "old"; sell it', '先修屋顶', 'Keep {it} as it is')
    sameFor(
      questionOf(),
      words.map(headline => ({ ...none, headline })),
      ({ headline }) => fc.constant({ headline }),
    )
  })
})

test('[Q18] no spelling is read as a number that JSON can’t hold, and none that breaks off is read at all', () => {
  const question = questionOf({ format: 'number' })
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,eE+-_ ’k%٫٣３'), maxLength: 24 }), said => {
      const { session } = table({ seats: 1, question }).round(0, [])
      const outcome = replyOutcome({ text: JSON.stringify({ number: said, high: said }) }, raw =>
        readAnswer(raw, session, 0, 's1'),
      )
      if (!('value' in outcome)) return
      const { number, high } = outcome.value
      expect(JSON.parse(JSON.stringify({ number, high }))).toEqual({ number, high: number })
    }),
    { numRuns: 2_000 },
  )
  const whole = JSON.stringify({ reasoning: 'Because {it} is.', number: 12, headline: 'Twelve' })
  for (let end = 1; end < whole.length; end++)
    expect(value(question, whole.slice(0, end))).toMatchObject({ error: { kind: 'bad-shape' } })
})
