/** Sessions that every form of export is tried with: one to read, and endlessly many nasty ones. */

import fc from 'fast-check'
import { modelErrorKinds } from '../../src/core/basics.ts'
import { allStamped, type Happening, type SessionEvent, type Usage } from '../../src/core/event.ts'
import { fold } from '../../src/core/fold.ts'
import type { SessionOpened } from '../../src/core/opening.ts'
import { type Answer, decisions, judgements, reasons } from '../../src/core/question.ts'
import type { ImportContext } from '../../src/exports/exporter.ts'

export const context: ImportContext = { newId: () => 'imported-1', clock: () => Date.UTC(2026, 4, 2, 9) }

export const logOf = (happenings: readonly Happening[]): SessionEvent[] =>
  allStamped(happenings, 0, () => Date.UTC(2026, 4, 1, 10))

export const opening = (changes: Partial<SessionOpened> = {}): SessionOpened => ({
  type: 'session-opened',
  id: 'session-1',
  question: {
    text: 'Is a hot dog a sandwich?',
    format: 'open',
    options: [],
    scale: 'linear',
    attachments: [],
  },
  seats: ['Ada 2', 'Bell 7B', 'Curie Large', 'Darwin'].map((name, index) => ({
    id: `s${index + 1}`,
    alias: 'ABCD'[index]!,
    name,
    model: `lab/${name.toLowerCase().replace(' ', '-')}`,
  })),
  moderator: 'lab/moderator',
  protocol: 'hybrid',
  rounds: 1,
  names: 'hidden',
  language: 'en',
  seed: 'seven',
  deadline: 120,
  ...changes,
})

export const usage = (inputTokens: number, outputTokens: number, costUsd: number | null): Usage => ({
  inputTokens,
  outputTokens,
  costUsd,
})

export const answered = (
  round: number,
  seat: string,
  answer: Partial<Answer> & { headline: string },
): Happening => ({
  type: 'answer-given',
  round,
  seat,
  answer: { reasoning: '', confidence: 0.8, language: 'en', ...answer },
  usage: usage(100, 50, 0.01),
  timing: { firstToken: 200, total: 900, attempts: 1 },
})

const yes = 'Yes, it is a sandwich.'
const no = 'No, it is its own thing.'
const labels = { s1: 'sandwich', s2: 'own thing', s3: 'sandwich' }

/** A debate in which Bell changes its mind for words that stand, one seat fails and one declines. */
export const example: readonly SessionEvent[] = logOf([
  opening(),
  { type: 'round-opened', round: 0, sealed: true },
  answered(0, 's1', { headline: yes, reasoning: 'Bread holds a filling, and that is the whole definition.' }),
  answered(0, 's2', { headline: no, reasoning: 'Nobody orders it as one.' }),
  answered(0, 's3', { headline: 'A sandwich it is, if an odd one.' }),
  {
    type: 'seat-silent',
    round: 0,
    seat: 's4',
    error: { kind: 'server-error', status: 500, message: 'Boom <b>' },
  },
  { type: 'camps-proposed', round: 0, pass: 0, labels, usage: usage(10, 5, 0.001) },
  { type: 'camps-proposed', round: 0, pass: 1, labels, usage: usage(10, 5, 0.001) },
  { type: 'membership-checked', round: 0, seat: 's3', exemplar: 's1@0', relation: 'same' },
  { type: 'challenge-made', round: 0, objection: 'The bun is a single piece of bread.' },
  { type: 'round-opened', round: 1, sealed: false },
  answered(1, 's1', { headline: yes, reasoning: 'I hold.', decision: 'keep' }),
  answered(1, 's2', {
    headline: yes,
    reasoning: '# Convinced\n\nThe definition settles it.',
    decision: 'change',
    reason: 'reinterpretation',
    credit: { seat: 's1', quote: 'Bread holds a filling', verified: true },
  }),
  answered(1, 's3', { headline: 'A sandwich it is, if an odd one.', wouldChangeMind: 'A law.' }),
  { type: 'seat-abstained', round: 1, seat: 's4', words: 'I would rather not say.' },
  {
    type: 'report-written',
    report: {
      answer: 'It is a sandwich.',
      summary: 'Ada 2 won Bell 7B over.',
      counterpoint: 'The law differs.',
    },
    by: 'moderator',
    usage: usage(40, 20, 0.002),
  },
  { type: 'session-finished', outcome: 'verdict' },
])

/** Lines that look like structure in one of the forms. */
const treacherous = [
  '',
  ' ',
  'Answer: x',
  '\\Answer: x',
  '\\\\Answer: x',
  'Answer:',
  'Model Responses',
  'Final Summary',
  '\\Final Summary',
  'Counterpoint: c',
  'Silent: timed out: m',
  'Abstained: w',
  'Options: a | b',
  'Items: a | b',
  'Unit: km',
  'Unit, log scale: km',
  'No unit',
  'Reads the question as: x',
  '\\Reads the question as: x',
  'Its range: from 1',
  'What became of its answer: kept',
  'Credits model 1, quote found: x — Ada',
  'On model 1, holds, quote found: x — Ada',
  'On model 1, because: x',
  'x — Ada',
  '\\ continued',
  '\\\\ continued',
  '\\ ',
  '\\',
  'AI Roundtable Open Debate · 6 models',
  'Loading session...',
  'Ada 2 (changed mind)',
  'All 6 models agreed',
  'tail\r',
  '\u2028',
  '  two spaces  ',
  '# Heading',
  '```',
  '> quoted',
  '| a | b |',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![pixel](https://tracker.example/p.png)',
  '[click](javascript:alert(1))',
]

export const nastyLine = fc.oneof(
  fc.constantFrom(...treacherous),
  // No log has half a character.
  fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.replaceAll('\n', ' ').toWellFormed()),
)
export const nastyText = fc.array(nastyLine, { maxLength: 5 }).map(lines => lines.join('\n'))

const nastyName = fc.oneof(
  nastyText.filter(text => text.split('\n')[0]!.trim() !== ''),
  fc.constantFrom('Ada', 'Ada (changed mind)', 'Ada (changed mind\\)', '\\ Ada', ' Ada '),
)

const option = fc.oneof(
  fc.constantFrom('Yes', 'No', '|', 'a | b', '> c', 'a > b', '\\| d', 'x |', '(not shown)', '12'),
  nastyText.map(text => text.trim()).filter(text => text !== ''),
)
const options = fc.uniqueArray(option, { minLength: 2, maxLength: 5, selector: text => text.toLowerCase() })

const noOptions: string[] = []
const closed = fc.oneof(
  fc.constant({ format: 'open' as const, options: noOptions }),
  options.map(list => ({ format: 'choice' as const, options: list })),
  options.map(list => ({ format: 'ranking' as const, options: list })),
  fc.record({
    format: fc.constant('text' as const),
    options: fc.constant(noOptions),
    length: fc.constantFrom(undefined, 20, 3_000),
    camps: fc.constantFrom(undefined, 'intent' as const),
  }),
  fc.record({
    format: fc.constant('number' as const),
    options: fc.constant(noOptions),
    unit: fc.option(nastyText, { nil: undefined }),
    scale: fc.constantFrom('linear' as const, 'log' as const),
    tolerance: fc.constantFrom(undefined, 5, 1e-7, 2.5e21, '10%', '0.5 %'),
  }),
)

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (value === 0 ? 0 : value))

const somebodysWords = {
  /** A place at the table. */
  seat: fc.constantFrom('0', '1', '2', '3'),
  quote: nastyText,
  verified: fc.boolean(),
}

/** What a seat says besides its answer. */
const besides: fc.Arbitrary<Partial<Answer>> = fc
  .record(
    {
      reading: nastyText,
      points: fc.array(
        fc.record({ ...somebodysWords, judgement: fc.constantFrom(...judgements), why: nastyText }),
        { maxLength: 2 },
      ),
      low: number,
      high: number,
      own: fc.record(
        {
          decision: fc.constantFrom(...decisions),
          reason: fc.constantFrom(...reasons),
          credit: fc.record(somebodysWords),
        },
        { requiredKeys: ['decision'] },
      ),
    },
    { requiredKeys: [] },
  )
  .map(({ own, ...rest }) => ({ ...rest, ...own }))

const anyOrder = (items: string[]) => fc.shuffledSubarray(items, { minLength: items.length })

/** Any session: every format, finished or not, every text nasty. */
export const anySession: fc.Arbitrary<SessionEvent[]> = fc
  .record({
    text: nastyText.filter(text => text.trim() !== ''),
    closed,
    names: fc.array(nastyName, { minLength: 1, maxLength: 4 }),
    rounds: fc.integer({ min: 0, max: 2 }),
    report: fc.option(fc.record({ answer: nastyText, summary: nastyText }), { nil: undefined }),
    counterpoint: fc.option(nastyText, { nil: undefined }),
    pick: fc.gen(),
  })
  .map(({ text, closed, names, rounds, report, counterpoint, pick }) => {
    const seats = names.map((name, index) => ({
      id: `s${index}`,
      alias: 'ABCD'[index]!,
      name,
      model: 'lab/m',
    }))
    const question = { text, scale: 'linear' as const, attachments: [], ...closed }
    const value = (): Partial<Answer> => {
      if (question.format === 'choice') return { choice: pick(fc.constantFrom, ...question.options) }
      if (question.format === 'ranking') return { ranking: pick(anyOrder, question.options) }
      if (question.format === 'text') return { text: pick(() => nastyText.filter(one => one !== '')) }
      return question.format === 'number' ? { number: pick(() => number) } : {}
    }
    const words = (): string => pick(() => nastyText)
    const said = (): Partial<Answer> => {
      const { low, high, ...rest } = pick(() => besides)
      const known = <Words extends { seat: string }>(one: Words): Words => ({
        ...one,
        seat: seats[Number(one.seat) % seats.length]!.id,
      })
      return {
        ...rest,
        ...(question.format === 'number' && { low, high }),
        ...(rest.points && { points: rest.points.map(known) }),
        ...(rest.credit && { credit: known(rest.credit) }),
      }
    }
    const handIn = (round: number, seat: string): Happening[] => {
      switch (pick(fc.constantFrom, 'given', 'given', 'given', 'silent', 'abstained', 'missing')) {
        case 'given':
          return [answered(round, seat, { headline: words(), reasoning: words(), ...value(), ...said() })]
        case 'silent': {
          const kind = pick(fc.constantFrom, ...modelErrorKinds)
          const status = pick(fc.constantFrom, undefined, 404, 500)
          const error = { kind, message: words(), ...(status !== undefined && { status }) }
          return [{ type: 'seat-silent', round, seat, error }]
        }
        case 'abstained':
          return [{ type: 'seat-abstained', round, seat, words: words() }]
        default:
          return []
      }
    }
    const written = report && { ...report, ...(counterpoint !== undefined && { counterpoint }) }
    return logOf([
      opening({ question, seats, rounds, moderator: null }),
      ...Array.from({ length: rounds + 1 }, (_, round): Happening[] => [
        { type: 'round-opened', round, sealed: round === 0 },
        ...seats.flatMap(seat => handIn(round, seat.id)),
      ]).flat(),
      ...(written ? [{ type: 'report-written' as const, report: written, by: 'code' as const }] : []),
    ])
  })

/** What a transcript must keep of a session. */
export const keptBy = (events: readonly SessionEvent[], round: number | undefined) => {
  const { question, seats, roundsSoFar, report } = fold(events)
  const last = roundsSoFar.find(one => one.index === round)
  const place = (seat: string): number => seats.findIndex(one => one.id === seat)
  return {
    question,
    report,
    seats: seats.map(({ id, name }) => {
      const handedIn = last?.handedIn[id]
      if (handedIn?.status === 'given') {
        const { confidence: _confidence, language: _language, points = [], ...answer } = handedIn.answer
        const credit = answer.credit && { ...answer.credit, seat: place(answer.credit.seat) }
        return {
          ...{ name, ...answer, credit },
          points: points.map(point => ({ ...point, seat: place(point.seat) })),
        }
      }
      if (handedIn?.status === 'abstained') return { name, words: handedIn.words }
      return { name, error: handedIn?.error ?? { kind: 'cancelled', message: 'It was not asked.' } }
    }),
  }
}
