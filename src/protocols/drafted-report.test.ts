import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import type { Happening, Relation, ReportDraft } from '../core/event.ts'
import { verdictOf } from '../count/verdict.ts'
import { protocolNamed } from './index.ts'
import { draftedFor, report, settledReport } from './report.ts'
import { nextOf, seenFor } from './steps.ts'

const poll = protocolNamed('poll')
const write = { type: 'write-report' } as const

/** Five headlines under one label and one under another, none of them checked. */
const labels = { s1: 'Rail', s2: 'Rail', s3: 'Rail', s4: 'Rail', s5: 'Rail', s6: 'Road' }
const labelled = table({ protocol: 'poll', rounds: 0 })
  .round(0, ['Rail a', 'Rail b', 'Rail c', 'Rail d', 'Rail e', 'Road'])
  .and({ type: 'camps-proposed', round: 0, pass: 0, labels })

const reply = {
  reasons: [{ seat: null, quote: null, reason: '{agreement} want rails, against {dissent}.' }],
  moved: null,
  counterpoint: null,
  open: null,
  unverified: null,
  settle: null,
  answer: 'Rail a',
}

const drafted = labelled.and(
  report.read(reply, seenFor(write, labelled.session), write) as Happening & { type: 'report-drafted' },
)

const nameOf = (seat: number): string => labelled.session.seats[seat]!.name

/** All pairs in one reply; those of the named seats relate as given, the others say the same. */
const checked = (log: typeof drafted, relations: Readonly<Record<string, Relation>>) => {
  const passed = log.and({ type: 'camps-proposed', round: 0, pass: 1, labels })
  let after = passed
  for (let times = 0; times < 4; times++) {
    const open = nextOf(poll, after.session).flatMap(command =>
      command.type === 'check-memberships'
        ? command.pairs
        : command.type === 'check-membership'
          ? [command]
          : [],
    )
    if (open.length === 0) break
    const checks = open.map(({ seat, exemplar }) => ({
      seat,
      exemplar,
      relation: relations[seat] ?? (seat === 's6' ? 'different' : 'same'),
    }))
    after = after.and({ type: 'memberships-checked', round: 0, checks })
  }
  return after
}

test('[E33] the report is asked for as soon as the last round is labelled, beside what is still open', () => {
  expect(nextOf(poll, labelled.session).map(({ type }) => type)).toEqual(['group-answers', 'write-report'])
  const passed = labelled.and({ type: 'camps-proposed', round: 0, pass: 1, labels })
  expect(nextOf(poll, passed.session).map(({ type }) => type)).toEqual(['check-memberships', 'write-report'])
  expect(nextOf(poll, drafted.session).map(({ type }) => type)).toEqual(['group-answers'])
})

test('[E33] the session is over only when the report and all checks are in', () => {
  const { session } = checked(drafted, {})
  expect(nextOf(poll, session)).toEqual([{ type: 'settle-report' }])
  expect(nextOf(poll, checked(labelled, {}).session)).toEqual([write])
})

test('[E34] if a check changes the count, only the numbers of the report change', () => {
  const reasonOf = (relations: Readonly<Record<string, Relation>>) => {
    const { session } = checked(drafted, relations)
    expect(nextOf(poll, session)).toEqual([{ type: 'settle-report' }])
    return settledReport(session)
  }
  expect(reasonOf({})).toMatchObject({
    by: 'moderator',
    report: { answer: 'Rail a', reasons: [{ reason: `5 of 6 want rails, against ${nameOf(5)}.` }] },
  })
  expect(reasonOf({ s5: 'different' }).report.reasons?.[0]?.reason).toBe(
    `4 of 6 want rails, against ${nameOf(4)} and ${nameOf(5)}.`,
  )
})

test('[E35] if another camp leads after the checks, the report is asked for again', () => {
  const { session } = checked(drafted, {
    s2: 'different',
    s3: 'different',
    s4: 'different',
    s5: 'different',
  })
  expect(verdictOf(session).leading).toBeNull()
  expect(nextOf(poll, session)).toEqual([{ type: 'write-report', again: true }])
  const asked = report.read({ ...reply, reasons: [{ reason: 'They differ.' }] }, session, write)
  expect(asked).toMatchObject({ type: 'report-written' })
})

test('[E35] a report that says what the checks contradict is asked for again', () => {
  const counted = {
    ...(drafted.session.drafted!.draft as ReportDraft),
    settle: 'Five of the six seats agree.',
  }
  const base = { ...draftedFor(seenFor(write, labelled.session)), draft: counted }
  expect(nextOf(poll, checked(labelled.and(base), {}).session)).toEqual([{ type: 'settle-report' }])
  expect(nextOf(poll, checked(labelled.and(base), { s5: 'different' }).session)).toEqual([
    { type: 'write-report', again: true },
  ])
})

test('[E35] if a seat moved and nobody leads any more, it is asked for again', () => {
  const moving = table({ protocol: 'roundtable', rounds: 1, seats: 3 })
    .round(0, ['Rail a', 'Rail b', 'Road'])
    .labels(0, ['Rail', 'Rail', 'Road'])
    .settle()
    .check(0, 's3', 's1@0', 'different')
    .round(1, ['Rail a', 'Rail x', 'Road'])
    .and({ type: 'camps-proposed', round: 1, pass: 0, labels: { s2: 'Rail' } })
  const roundtable = protocolNamed('roundtable')
  const early = moving.and({
    ...draftedFor(seenFor(write, moving.session)),
    draft: { answer: 'Rail a', reasons: [{ text: 'Because of reasons that are set out here.' }] },
  })
  const over = early
    .and({ type: 'camps-proposed', round: 1, pass: 1, labels: { s2: 'Rail' } })
    .check(1, 's2', 's1@0', 'different')
    .check(1, 's2', 's3@0', 'different')
    .check(1, 's2', 's2@0', 'different')
  expect(verdictOf(over.session).ledger.map(({ seat }) => seat)).toEqual(['s2'])
  expect(nextOf(roundtable, over.session).at(-1)).toEqual({ type: 'write-report', again: true })
})

test('[E38] if the checks show that a seat changed its mind where its word was another, code says who moved', () => {
  const moving = table({ protocol: 'roundtable', rounds: 1, seats: 4 })
    .round(0, ['Rail a', 'Rail a', 'Rail a', 'Road'])
    .labels(0, ['Rail', 'Rail', 'Rail', 'Road'])
    .settle()
    .check(0, 's4', 's1@0', 'different')
    .round(1, ['Rail a', 'Rail a', 'Rail a', { headline: 'Rail, if it is cheap', decision: 'narrowed' }])
    .and({ type: 'camps-proposed', round: 1, pass: 0, labels: { s4: 'Rail' } })
  const early = moving.and({
    ...draftedFor(seenFor(write, moving.session)),
    draft: { answer: 'Rail a', reasons: [{ text: 'It is cheaper.' }], moved: 'Seat D narrowed its answer.' },
  })
  expect(early.session.drafted).toMatchObject({ moved: ['s4'], changed: [] })
  const told = (relation: Relation) => {
    const { session } = early
      .and({ type: 'camps-proposed', round: 1, pass: 1, labels: { s4: 'Rail' } })
      .check(1, 's4', 's1@0', 'same')
      .check(1, 's4', 's4@0', relation)
    expect(nextOf(protocolNamed('roundtable'), session)).toEqual([{ type: 'settle-report' }])
    return settledReport(session).report.moved
  }
  expect(told('same')).toBe(`${moving.session.seats[3]!.name} narrowed its answer.`)
  expect(told('compatible')).toBe(`${moving.session.seats[3]!.name} changed its mind in round 1.`)
})

test('[E36] nothing usable was drafted: code writes the report, with the reason', () => {
  const none = { ...draftedFor(seenFor(write, labelled.session)), rejected: ['it contradicts the counts'] }
  const { session } = checked(labelled.and(none), { s5: 'different' })
  expect(nextOf(poll, session)).toEqual([{ type: 'settle-report' }])
  expect(settledReport(session)).toMatchObject({
    by: 'code',
    rejected: ['it contradicts the counts'],
    report: { summary: expect.stringContaining('4 of 6') },
  })
})

test('[E33] a draft that comes after another round was opened is not used, and what it cost is kept', () => {
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: null }
  const log = labelled
    .and({ type: 'round-opened', round: 1, sealed: false })
    .and({ ...draftedFor(seenFor(write, labelled.session)), usage })
  expect(log.session.drafted).toBeUndefined()
  expect(log.session.moderatorUsage).toContainEqual(usage)
})
