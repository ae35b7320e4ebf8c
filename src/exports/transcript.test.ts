import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answered,
  anySession,
  context,
  example,
  keptBy,
  logOf,
  nastyLine,
  opening,
} from '../../test/contracts/exports-contract.ts'
import { weighedLog } from '../../test/weighed-session.ts'
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { answerIn } from '../core/session.ts'
import { verdictOf } from '../count/verdict.ts'
import { plainReport } from '../report/report.ts'
import { documentOf } from './json.ts'
import { transcript } from './transcript.ts'

const { write, read } = transcript()
const reading = (text: string) => read!(text, context)

const roomy = `AI Roundtable Open Debate · 2 models

Tea or coffee?

Answer: Tea, most days. (All 2 models agreed)

Model Responses

Ada 2 (changed mind)

Answer: Tea.

It keeps.

And it warms.

Bell 7B

Answer: Tea, of course.

Leaves beat beans.

Final Summary

Bell 7B moved Ada 2.

All 2 models agreed`
const compact = roomy.replaceAll('keeps.\n\nAnd', 'keeps. And').replaceAll('\n\n', '\n')

describe.each([
  ['roomy', roomy, false],
  ['compact', compact, true],
])('a %s transcript', (_, text, tight) => {
  it('[X1] is imported and exported back to the same text', () => {
    expect(write(reading(text), { compact: tight })).toBe(text)
  })

  it('[X2] shows its seats, their texts, the summary, and its own claims as claims', () => {
    const document = documentOf(reading(text))
    expect(document.seats.map(seat => seat.name)).toEqual(['Ada 2', 'Bell 7B'])
    expect(document.rounds[0]?.answers.map(answer => answer.move)).toEqual(['switched', 'held'])
    expect(document.rounds[0]?.answers[1]).toMatchObject({
      headline: 'Tea, of course.',
      reasoning: 'Leaves beat beans.',
      confidence: null,
    })
    expect(document.report).toMatchObject({ answer: 'Tea, most days.', summary: 'Bell 7B moved Ada 2.' })
    expect(document.verdict).toMatchObject({ level: 'unanimous', agree: 2, line: 'All 2 models agreed' })
    expect(document.imported).toEqual({ from: 'transcript', line: 'All 2 models agreed', changed: ['s1'] })
    expect(document).toMatchObject({
      format: 'open',
      protocol: 'roundtable',
      names: 'shown',
      id: 'imported-1',
    })
  })

  it('[X3] may be wrapped: a loading line, a byte order mark, Windows line ends, a final line break', () => {
    for (const wrapped of [
      `Loading session...\n\n${text}`,
      `\uFEFF${text}`,
      `${text}\n`,
      `${text}\n`.replaceAll('\n', '\r\n'),
      `Loading session...\n\n${text}`.replaceAll('\n', '\r\n'),
    ]) {
      expect(write(reading(wrapped), { compact: tight })).toBe(text)
    }
  })

  it.each([
    [text, 'hello\nworld', 'hello', 'a header such as'],
    ['Open Debate', 'Chat', 'AI Roundtable Chat · 2 models', 'a header such as'],
    ['2 models\n', '3 models\n', 'AI Roundtable Open Debate · 3 models', '3 models, and 2 were found'],
    ['days. (All 2', 'days. (All 3', 'Answer: Tea, most days. (All 3 models agreed)', 'does not end in'],
    ['\nModel Responses\n', '\n', undefined, '"Model Responses" is missing'],
    ['\nFinal Summary\n', '\n', undefined, '"Final Summary" is missing'],
    ['Ada 2 (changed mind)', ' (changed mind)', ' (changed mind)', 'the name of a model is missing'],
    ['Answer: Tea.\n', 'Silent: asleep: zzz\n', 'Silent: asleep: zzz', 'why the seat is silent'],
  ])('[X4] %j turned into %j is refused with line and reason', (from, to, line, reason) => {
    const broken = text.replace(from, to)
    const message = messageOf(() => reading(broken))
    expect(message).toContain(reason)
    const told = Number(/^Line (\d+) of the transcript: /.exec(message)?.[1])
    expect(broken.split('\n')[told - 1]).toBe(line)
  })
})

const messageOf = (attempt: () => unknown): string => {
  try {
    attempt()
  } catch (error) {
    if (UsageError.isInstance(error)) return error.message
    throw error
  }
  return 'nothing was refused'
}

describe('transcript', () => {
  it('[X31] keeps what a seat says of others and of its own answer, in lines that people can read', () => {
    const text = write(weighedLog)
    for (const part of [
      "What became of its answer: kept, conceding a point (a peer's point)\nCredits model 3, quote found: A bun is one piece of bread — Claude Sonnet 4.6\nOn model 3, holds, quote found: A bun is one piece of bread — Claude Sonnet 4.6\nOn model 3, because: It is one piece.",
      'On model 4, does not hold, quote not found: a hot dog is a taco — Mistral Medium 3.1',
    ]) {
      expect(text).toContain(part)
    }
    const answerOf = (events: readonly SessionEvent[]) => answerIn(fold(events).roundsSoFar.at(-1), 's1')
    const { reason, credit, decision, points } = answerOf(weighedLog)!
    expect(answerOf(reading(text))).toMatchObject({ reason, credit, decision, points })
  })

  it.each([
    ['model 3, holds', 'model 9, holds'],
    [' — Claude Sonnet 4.6\nOn model 3, because', ' — somebody\nOn model 3, because'],
    ['On model 3, because', 'On model 2, because'],
    ['kept, conceding', 'left, conceding'],
    ["(a peer's point)", '(a whim)'],
  ])('[X31] %j turned into %j is refused with its line', (from, to) => {
    const broken = write(weighedLog).replace(from, to)
    const told = Number(
      /^Line (\d+) of the transcript: what a seat says/.exec(messageOf(() => reading(broken)))?.[1],
    )
    expect(broken.split('\n')[told - 1]).toMatch(/^(?:On model|What became)/)
  })

  it('[X5] the header says Poll or Debate by rounds, and Open by format', () => {
    const header = (format: 'open' | 'number', rounds: number): string =>
      write(
        logOf([
          opening({ question: { ...opening().question, format } }),
          { type: 'round-opened', round: 0, sealed: true },
          ...(rounds > 0 ? [{ type: 'round-opened' as const, round: 1, sealed: false }] : []),
        ]),
      ).split('\n')[0]!
    expect(header('open', 0)).toBe('AI Roundtable Open Poll · 4 models')
    expect(header('open', 1)).toBe('AI Roundtable Open Debate · 4 models')
    expect(header('number', 0)).toBe('AI Roundtable Poll · 4 models')
    expect(header('number', 1)).toBe('AI Roundtable Debate · 4 models')
  })

  it('[X6] shows dissent, changes of mind, silent and abstained seats', () => {
    expect(write(example, { compact: true })).toBe(`AI Roundtable Open Debate · 4 models
Is a hot dog a sandwich?
Answer: It is a sandwich. (All 3 models that answered agreed; Darwin abstained)
Counterpoint: The law differs.
Model Responses
Ada 2
Answer: Yes, it is a sandwich.
I hold.
Bell 7B (changed mind)
Answer: Yes, it is a sandwich.
# Convinced

The definition settles it.
Curie Large
Answer: A sandwich it is, if an odd one.
Darwin
Abstained: I would rather not say.
Final Summary
Ada 2 won Bell 7B over.
All 3 models that answered agreed; Darwin abstained`)
    expect(write(example.slice(0, 6), { compact: true })).toContain(
      'Darwin\nSilent: server error (500): Boom <b>\nFinal Summary',
    )
  })

  it.each([
    [
      { format: 'choice' as const, options: ['Yes', 'No', 'Both'] },
      { choice: 'No' },
      'Options: Yes | No | Both',
      'No',
    ],
    [
      { format: 'ranking' as const, options: ['a', 'b | c'] },
      { ranking: ['b | c', 'a'] },
      'Items: a | b \\| c',
      'b | c > a',
    ],
    [{ format: 'number' as const, unit: 'km' }, { number: 384400 }, 'Unit: km', '384400'],
    [{ format: 'number' as const, scale: 'log' as const }, { number: 1e21 }, 'No unit, log scale', '1e+21'],
  ])('[X7] a closed question keeps its format and values: %j', (closed, value, line, written) => {
    const question = { ...opening().question, ...closed }
    const events = logOf([
      opening({ question }),
      { type: 'round-opened', round: 0, sealed: true },
      ...['s1', 's2', 's3', 's4'].map(seat =>
        answered(0, seat, { headline: 'So it is.', reasoning: 'Thus.', ...value }),
      ),
    ])
    const text = write(events)
    expect(text).toContain(`sandwich?\n\n${line}\n\nAnswer: `)
    expect(text).toContain(`Ada 2\n\nAnswer: ${written}\n\nSo it is.\n\nThus.\n\nBell 7B`)
    const again = fold(reading(text))
    expect(again.question).toEqual(question)
    expect(again.roundsSoFar[0]?.handedIn.s1).toMatchObject({ answer: { headline: 'So it is.', ...value } })
  })

  it('[X7] options that are not listed are those that were chosen', () => {
    const text = roomy.replace('Open Debate', 'Poll').replace('Tea, of course.', 'Coffee.')
    const events = reading(text)
    expect(fold(events).question).toMatchObject({ format: 'choice', options: ['Tea.', 'Coffee.'] })
    expect(write(events)).toBe(text)
  })

  it.each([false, true])('[X8] every text of every session survives (compact: %s)', tight => {
    fc.assert(
      fc.property(anySession, events => {
        const session = fold(events)
        const verdict = verdictOf(session)
        const text = write(events, { compact: tight })
        const again = reading(text)
        const kept = keptBy(events, verdict.final?.round)
        expect(keptBy(again, fold(again).roundsSoFar[0]?.index)).toEqual({
          ...kept,
          report: session.report ?? plainReport(session),
        })
        expect(fold(again).imported?.line).toBe(verdict.line)
        expect(fold(again).imported?.changed.length).toBe(new Set(verdict.ledger.map(flip => flip.seat)).size)
        expect(write(again, { compact: tight })).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it.each([false, true])('[X9] a text is imported without loss or refused (compact: %s)', tight => {
    const edit = fc.record({ at: fc.nat(), remove: fc.nat(2), insert: fc.array(nastyLine, { maxLength: 2 }) })
    fc.assert(
      fc.property(anySession, fc.array(edit, { maxLength: 3 }), (events, edits) => {
        const lines = write(events, { compact: tight }).split('\n')
        for (const { at, remove, insert } of edits) lines.splice(at % lines.length, remove, ...insert)
        const text = lines.join('\n')
        try {
          const again = reading(text)
          const plain = text.replace(/^Loading session\.\.\.\n+/, '').replace(/\n+$/, '')
          expect([write(again), write(again, { compact: true })]).toContain(plain)
        } catch (error) {
          if (!UsageError.isInstance(error)) throw error
          expect(error.message).toMatch(/^Line \d+ of the transcript: .+\.$/su)
        }
      }),
      { numRuns: 500 },
    )
  })
})
