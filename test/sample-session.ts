/** A handmade session: six seats, two rounds, and one of every event. */
import { type Happening, type SessionEvent, stamped } from '../src/core/event.ts'
import type { Answer } from '../src/core/question.ts'

const seats = [
  'GLM 4.7',
  'Gemini 3.5 Flash',
  'Claude Sonnet 4.6',
  'Mistral Medium 3.1',
  'Qwen 3.5 397B',
  'Kimi K2.6',
]

const answer = (choice: string, headline: string, more: Partial<Answer> = {}): Answer => ({
  headline,
  reasoning: `Because of this: ${headline}`,
  confidence: 0.8,
  choice,
  language: 'en',
  ...more,
})

const usage = (outputTokens: number, costUsd: number | null) => ({ inputTokens: 900, outputTokens, costUsd })
const timing = (total: number, attempts = 1) => ({ firstToken: 400, total, attempts })

const given = (round: number, seat: string, said: Answer): Happening => ({
  type: 'answer-given',
  round,
  seat,
  answer: said,
  usage: usage(213, 0.0012),
  timing: timing(4200),
})

const silent = (round: number): Happening => ({
  type: 'seat-silent',
  round,
  seat: 's5',
  error: { kind: 'timeout', message: 'no token within 60 s' },
  timing: timing(60_000),
})

const declined = (round: number): Happening => ({
  type: 'seat-abstained',
  round,
  seat: 's6',
  words: 'I would rather not rule on sandwiches.',
  usage: usage(12, 0.0001),
  timing: timing(900),
})

const structure = 'A bun is one piece of bread, and a sandwich has two.'

export const sampleHappenings: readonly Happening[] = [
  {
    type: 'session-opened',
    id: '20260102-sample',
    question: {
      text: 'Is a hot dog a sandwich?',
      format: 'choice',
      options: ['Yes', 'No'],
      scale: 'linear',
      attachments: [],
    },
    seats: seats.map((name, index) => ({
      id: `s${index + 1}`,
      alias: 'ABCDEF'[index]!,
      name,
      model: `lab/m${index}`,
    })),
    moderator: 'lab/moderator',
    protocol: 'hybrid',
    rounds: 2,
    names: 'hidden',
    language: 'en',
    seed: '7',
    deadline: 60,
    budget: { usd: 0.5 },
  },
  { type: 'round-opened', round: 0, sealed: true },
  given(0, 's1', answer('Yes', 'Filling between bread is a sandwich, whatever the shape of the bread.')),
  given(0, 's2', answer('Yes', 'Yes, by any legal definition that has been written down.')),
  given(0, 's3', answer('No', structure)),
  given(0, 's4', answer('No', 'Nobody who orders a sandwich expects a hot dog.')),
  silent(0),
  declined(0),
  {
    type: 'challenge-made',
    round: 0,
    objection: 'A sub is served in one uncut roll, and is called a sandwich.',
  },
  { type: 'round-opened', round: 1, sealed: false },
  given(
    1,
    's1',
    answer('No', 'The bun is one piece, so it is not a sandwich.', {
      decision: 'change',
      reason: 'error found',
      credit: { seat: 's3', quote: 'A bun is one piece of bread', verified: true },
    }),
  ),
  given(
    1,
    's2',
    answer('No', 'On reflection, it is its own thing.', {
      decision: 'change',
      reason: 'other',
      credit: { seat: 's4', quote: 'a hot dog is a taco', verified: false },
    }),
  ),
  given(1, 's3', answer('No', structure)),
  given(
    1,
    's4',
    answer('Yes', 'The sub decides it: one uncut roll is enough.', {
      decision: 'change',
      reason: 'new evidence',
    }),
  ),
  silent(1),
  declined(1),
  {
    type: 'report-written',
    by: 'moderator',
    report: {
      answer: 'A hot dog is not a sandwich.',
      summary: 'Claude Sonnet 4.6 moved GLM 4.7 with the point that a bun is one piece of bread.',
      counterpoint: 'Mistral Medium 3.1: a sub is one uncut roll, too.',
    },
    usage: usage(120, 0.002),
  },
  { type: 'session-finished', outcome: 'verdict' },
]

/** One event a second. */
export const logOf = (happenings: readonly Happening[]): SessionEvent[] =>
  happenings.map((happening, position) =>
    stamped(happening, position, () => Date.UTC(2026, 0, 2, 12, 0, position)),
  )

export const sampleLog: readonly SessionEvent[] = logOf(sampleHappenings)
