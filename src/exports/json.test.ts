import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answered,
  anySession,
  context,
  example,
  logOf,
  opening,
} from '../../test/contracts/exports-contract.ts'
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Seat } from '../core/opening.ts'
import { resumed } from '../count/acts.ts'
import { exporterNamed, exporters, importText, savedLog } from './index.ts'
import { documentOf, documentSchema, json } from './json.ts'

const { write } = json()

describe('the session document', () => {
  it('[X10] holds the whole session with every round', () => {
    const document = documentOf(example)
    expect(documentSchema.parse(document)).toEqual(JSON.parse(JSON.stringify(document)))
    expect(document).toMatchObject({
      version: 1,
      id: 'session-1',
      question: 'Is a hot dog a sandwich?',
      format: 'open',
      protocol: 'hybrid',
      seed: 'seven',
      outcome: 'verdict',
      report: { answer: 'It is a sandwich.', counterpoint: 'The law differs.', by: 'moderator' },
    })
    const [sealed, open] = document.rounds
    expect(sealed).toMatchObject({ index: 0, sealed: true, objection: 'The bun is a single piece of bread.' })
    expect(sealed?.camps.map(({ label, seats }) => [label, seats])).toEqual([
      ['sandwich', ['s1', 's3']],
      ['own thing', ['s2']],
    ])
    expect(sealed?.answers[3]).toMatchObject({
      seat: 's4',
      status: 'silent',
      error: { kind: 'server-error', status: 500, message: 'Boom <b>' },
    })
    expect(open?.answers.map(answer => answer.move)).toEqual(['held', 'switched', 'held', 'abstained'])
    expect(open?.answers[1]).toMatchObject({
      reason: 'reinterpretation',
      credit: { seat: 's1', quote: 'Bread holds a filling', verified: true },
    })
    expect(open?.answers[3]).toMatchObject({ status: 'abstained', words: 'I would rather not say.' })
  })

  it('[X11] has the verdict with the sealed and the final tally, and who moved', () => {
    const { verdict } = documentOf(example)
    expect(verdict).toMatchObject({
      level: 'supermajority',
      agree: 3,
      of: 4,
      answered: 3,
      sealed: { agree: 2, silent: ['s4'] },
      final: { agree: 3, abstained: ['s4'] },
      flips: 1,
      ledger: [{ seat: 's2', round: 1 }],
      line: 'All 3 models that answered agreed; Darwin abstained',
    })
  })

  it('[X12] leaves out seats that are still being asked', () => {
    const { rounds, report, outcome } = documentOf(example.slice(0, 4))
    expect(rounds[0]?.answers.map(answer => answer.seat)).toEqual(['s1', 's2'])
    expect({ report, outcome }).toEqual({ report: null, outcome: undefined })
  })

  it('[X13] sums tokens and cost of seats and moderator; one unknown price makes the sum unknown', () => {
    const { usage, usageBySeat, usageByRound, moderatorUsage } = documentOf(example)
    expect(usage).toMatchObject({ inputTokens: 660, outputTokens: 330, costUsd: null })
    expect(usageBySeat.s1).toMatchObject({ inputTokens: 200, outputTokens: 100, costUsd: 0.02 })
    expect(usageByRound[0]).toMatchObject({ round: 0, inputTokens: 300, costUsd: 0.03 })
    expect(moderatorUsage).toMatchObject({ inputTokens: 60, outputTokens: 30, costUsd: 0.004 })
    const priced = example.filter(event => event.type !== 'seat-abstained')
    expect(documentOf(logOf(priced)).usage.costUsd).toBe(0.064)
  })

  it('[X14] keeps why reports were turned down and where the moderator failed', () => {
    const document = documentOf(
      logOf([
        opening(),
        { type: 'round-opened', round: 0, sealed: true },
        answered(0, 's1', { headline: 'Yes.' }),
        { type: 'moderator-failed', task: 'digest', round: 0, error: { kind: 'timeout', message: 'Slow.' } },
        {
          type: 'report-written',
          report: { answer: 'a', summary: 's' },
          by: 'code',
          rejected: ['it says "all"'],
        },
        { type: 'session-stopped', reason: 'interrupted', words: 'Ctrl-C' },
        { type: 'session-finished', outcome: 'interrupted' },
      ]),
    )
    expect(document.report?.rejected).toEqual(['it says "all"'])
    expect(document.failures).toEqual([
      { task: 'digest', round: 0, error: { kind: 'timeout', message: 'Slow.' } },
    ])
    expect(document.stopped).toEqual({ reason: 'interrupted', words: 'Ctrl-C' })
  })

  it('[X15] is imported to the same log, for every session', () => {
    fc.assert(
      fc.property(anySession, fc.boolean(), (events, compact) => {
        const text = write(events, { compact })
        expect(importText(text, context)).toEqual(events)
        expect(write(importText(text, context), { compact })).toBe(text)
      }),
    )
  })
})

describe('importText', () => {
  const changed = (
    change: (document: { events: SessionEvent[] } & Record<string, unknown>) => void,
  ): string => {
    const document = JSON.parse(write(example))
    change(document)
    return JSON.stringify(document)
  }

  const pointAt = (seat: string): object => {
    const point = { seat, quote: 'words', verified: true, judgement: 'holds', why: 'so' }
    return { answer: { headline: 'Yes.', reasoning: '', confidence: null, language: null, points: [point] } }
  }

  it.each([
    ['', 'Line 1: the text is empty'],
    ['What is this?', 'Line 1 of the transcript: a header such as'],
    ['{\n "version": 1,\n "id": oops\n}', "Line 3, column 8: Unexpected token 'o'"],
    ['{\n "version": 1\n "id": 2}', 'Line 3, column 2: Expected'],
    ['{\n "version": 1,\n', 'Line 3, column 1: '],
    ['{"version": ', 'Line 1, column 13: Unexpected end'],
    ['[1, 2]', 'The document: '],
    ['{"version": 7}', 'version: this document has version 7'],
    [changed(document => delete document.seed), 'seed: '],
    [changed(document => document.events.splice(0, 1)), 'events[0]: a log must begin with session-opened'],
    [changed(document => document.events.splice(0)), 'events: the log is empty'],
    [changed(document => document.events.splice(3, 1)), 'events[3]: its position is 4, but it should be 3'],
    [
      changed(document => Object.assign(document.events[2]!, { seat: 's9' })),
      'events[2]: there is no seat "s9"',
    ],
    [
      changed(document => Object.assign(document.events[2]!, pointAt('s9'))),
      'events[2]: there is no seat "s9"',
    ],
    [
      changed(document => Object.assign(document.events[2]!, { round: 3 })),
      'events[2]: round 3 was not opened',
    ],
    [changed(document => Object.assign(document.events[2]!, { answer: {} })), 'events[2].answer.headline: '],
    [changed(document => Object.assign(document.events[2]!, { type: 'surprise' })), 'events[2].type: '],
  ])('[X16] names place and reason of what is broken in %.40j', (text, message) => {
    const attempt = () => importText(text, context)
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(message)
  })

  const adding = (happening: object): string =>
    changed(document => {
      document.events.push({ position: document.events.length, at: 'now', ...happening } as SessionEvent)
    })
  const opened = (change: object): string => changed(document => Object.assign(document.events[0]!, change))
  const seats = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ id: `s${index}`, alias: 'A', name: 'N', model: 'lab/m' }))
  const digest = { positions: [] }
  const error = { kind: 'timeout', message: 'Slow.' }

  it.each([
    [
      adding({ type: 'digest-written', round: 0, batch: 4_294_967_000, digest, by: 'code' }),
      '.batch: Too big',
    ],
    [adding({ type: 'camps-proposed', round: 0, pass: 0, batch: 1e9, labels: {} }), '.batch: Too big'],
    [adding({ type: 'statement-made', round: 0, turn: 1e9, seat: 's1', said: { error } }), '.turn: Too big'],
    [adding({ type: 'statement-made', round: 0, turn: 1, seat: 's9', said: { error } }), 'no seat "s9"'],
    [adding({ type: 'round-opened', round: 1e9, sealed: false }), '.round: Too big'],
    [adding({ type: 'round-opened', round: 3, sealed: false }), 'round 3 was opened, but round'],
    [adding({ type: 'session-stopped', reason: 'failed', words: 'x'.repeat(1_000_001) }), '.words: Too big'],
    [opened({ seats: seats(201) }), 'events[0].seats: Too big'],
    [opened({ deadline: 3e6 }), 'events[0].deadline: Too big'],
    [opened({ budget: { tokens: 1e300 } }), 'events[0].budget.tokens: Too big'],
    [
      changed(document => {
        const check = { type: 'membership-checked', round: 0, seat: 's1', relation: 'same', at: 'now' }
        for (let index = 0; index <= 5_000; index++)
          document.events.push({
            ...check,
            exemplar: `s1@${index}`,
            position: document.events.length,
          } as SessionEvent)
      }),
      'more than 5000 comparisons',
    ],
    [
      adding({
        type: 'memberships-checked',
        round: 0,
        checks: Array(201).fill({ seat: 's1', exemplar: 's1@0', relation: 'same' }),
      }),
      '.checks: Too big',
    ],
    [
      adding({
        type: 'memberships-checked',
        round: 0,
        checks: [],
        missing: [{ seat: 's9', exemplar: 's1@0' }],
      }),
      'no seat "s9"',
    ],
    [
      changed(document => {
        const checks = Array.from({ length: 200 }, () => ({ seat: 's1', exemplar: 's1@0', relation: 'same' }))
        for (let index = 0; index <= 25; index++)
          document.events.push({
            ...{ type: 'memberships-checked', round: 0, checks, at: 'now' },
            position: document.events.length,
          } as SessionEvent)
      }),
      'more than 5000 comparisons',
    ],
    [
      changed(document => {
        for (let index = document.events.length; index <= 20_000; index++)
          document.events.push({ type: 'round-added', position: index, at: 'now' } as SessionEvent)
      }),
      'events: Too big',
    ],
  ])('[X25] refuses what no session that ran here could hold: %#', (text, message) => {
    const attempt = () => importText(text, context)
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(message)
  })

  const reasons = [{ reason: 'So.', seat: 's9' }]
  it.each([
    ...['constructor', '__proto__', 'toString'].map(id => [
      opened({ seats: [...seats(3), { ...seats(1)[0], id }] }),
      `a seat can't have the id "${id}"`,
    ]),
    [opened({ seats: [{ ...seats(1)[0], model: 'valueOf' }] }), `a seat can't have the model "valueOf"`],
    [adding({ type: 'seat-overdue', round: 0, seat: 's9', by: 'person' }), 'no seat "s9"'],
    [adding({ type: 'seat-overdue', round: 20, seat: 's1', by: 'person' }), 'round 20 was not opened'],
    [
      adding({ type: 'readings-grouped', round: 0, readings: [{ reading: 'So.', seats: ['s9'] }] }),
      'no seat "s9"',
    ],
    [adding({ type: 'report-drafted', round: 0, leading: null, moved: ['s9'] }), 'no seat "s9"'],
    [
      adding({ type: 'report-written', by: 'moderator', report: { answer: 'A', summary: 'S', reasons } }),
      'no seat "s9"',
    ],
    [
      adding({ type: 'seat-abstained', round: 0, seat: 's1', words: 'No.', outdated: true }),
      'what a seat says is never out of date',
    ],
    [adding({ type: 'kind-found', kind: 'fact', outdated: true }), 'kind-found is never out of date'],
  ])('[X35] refuses seats and events that no session that ran here could have: %#', (text, message) => {
    const attempt = () => importText(text!, context)
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(message)
  })

  it('[X25] a failed pass with a number of its own makes no list of that length', () => {
    const failed = { type: 'moderator-failed', task: 'group', round: 0, subject: '4294967000', error }
    const log = importText(adding(failed), context)
    expect(fold(log).roundsSoFar[0]?.proposals).toHaveLength(2)
  })

  it('[X25] a transcript has no more seats than a table', () => {
    const log = logOf([
      opening({ seats: seats(201) as Seat[], protocol: 'poll', rounds: 0 }),
      { type: 'round-opened', round: 0, sealed: true },
      ...seats(201).map((_, index) => answered(0, `s${index}`, { headline: `It is ${index}.` })),
    ])
    const text = exporterNamed('transcript').write(log)
    expect(() => importText(text, context)).toThrow('Line 1 of the transcript: seats: Too big')
  })

  it('[X17] every form is named once, and an unknown name is told which there are', () => {
    expect(exporters.map(exporter => exporter.id)).toEqual(['json', 'markdown', 'html', 'transcript'])
    expect(() => exporterNamed('pdf')).toThrow(
      'no export format "pdf": choose one of json, markdown, html, transcript',
    )
  })
})

it('[X474] a session that was under way when it was exported is over once it is imported, and can be resumed', () => {
  const log = logOf([opening(), { type: 'round-opened', round: 0, sealed: true }])
  const imported = savedLog(importText(write(log), context), context)
  expect(fold(imported)).toMatchObject({
    outcome: 'interrupted',
    stopped: { reason: 'interrupted', words: 'The session was not over when it was exported.' },
  })
  expect(resumed(fold(imported))).toEqual({ type: 'session-resumed' })
  expect(savedLog(importText(write(imported), context), context)).toEqual(imported)
})
