import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { fold } from '../core/fold.ts'
import { checkKey } from '../core/session.ts'
import { verdictOf } from '../count/verdict.ts'
import type { Provider } from '../models/provider.ts'
import { type ScriptedReply, scripted } from '../models/scripted.ts'
import { groupClosed } from '../protocols/steps.ts'
import { callQueues } from './budget.ts'
import { run } from './run.ts'

const log = table({
  seats: 3,
  question: yesOrNo,
  protocol: 'poll',
  rounds: 0,
  moderator: 'scripted/moderator',
})
const report = (summary: string) => ({ answer: 'Yes, build it.', summary, counterpoint: null })

const runnerOf = (provider: Provider) => ({
  providers: [provider],
  openQueue: callQueues(),
  clock: () => 0,
  signal: new AbortController().signal,
  publish() {},
})

/** A poll whose moderator replies with these summaries, one after the other. */
const reported = async (...summaries: string[]) => {
  const asked: string[] = []
  const provider = scripted(call => {
    asked.push(call.user.join('\n'))
    return report(summaries[asked.length - 1] ?? '')
  })
  const events = await run(runnerOf(provider), log.round(0, ['Yes', 'Yes', 'No']).events)
  return { asked, written: events.find(event => event.type === 'report-written') }
}

test('[E9] the log holds a report whose placeholders are filled in', async () => {
  const { asked, written } = await reported('{agreement} agree; {dissent} does not.')
  expect(asked).toHaveLength(1)
  expect(written).toMatchObject({
    by: 'moderator',
    report: { summary: '2 of 3 agree; Grok 4.20 does not.' },
  })
})

test('[E10] a moderator that made up a placeholder is told, and asked again', async () => {
  const { asked, written } = await reported('{majority} agree.', '{agreement} agree.')
  expect(asked[1]).toContain("{majority} isn't a placeholder")
  expect(written).toMatchObject({ by: 'moderator', report: { summary: '2 of 3 agree.' } })
})

test('[E10] if it makes one up again, code writes the report and the log says why', async () => {
  const { written } = await reported('{majority} agree.', '{most} agree.')
  expect(written).toMatchObject({
    by: 'code',
    rejected: [expect.stringContaining('{majority}'), expect.stringContaining('{most}')],
  })
})

/** An open poll in which two of three say "Build it", whose moderator writes this answer and compares it so. */
const answered = async (answer: string, relation: ScriptedReply) => {
  const asked: string[] = []
  const provider = scripted(call => {
    asked.push(call.shape.name)
    if (call.shape.name === 'relation') return relation
    return { answer, summary: 'It was weighed.', counterpoint: null }
  })
  const open = table({ seats: 3, protocol: 'poll', rounds: 0, moderator: 'scripted/moderator' })
    .round(0, ['Build it.', 'Build it', 'Never.'])
    .labels(0, ['build', 'build', 'never'])
    .check(0, 's3', 's1@0', 'different')
  const events = await run(runnerOf(provider), open.events)
  return { asked, events, written: events.find(event => event.type === 'report-written') }
}

test('[E13] an answer in the words of the leading headline needs no comparison', async () => {
  for (const answer of ['build it.', '“Build it”', '{leading}']) {
    const { asked, written } = await answered(answer, { relation: 'different' })
    expect(asked).toEqual(['report'])
    expect(written).toMatchObject({ by: 'moderator' })
  }
})

test('[E13] an answer in other words is compared with the leading headline once, and its use counts', async () => {
  const { asked, written } = await answered('The bridge should be built.', { relation: 'same' })
  expect(asked).toEqual(['report', 'relation'])
  expect(written).toMatchObject({ by: 'moderator', report: { answer: 'The bridge should be built.' } })
  const alone = await answered('Build it.', {})
  const tokens = (event: typeof written) => event?.usage?.inputTokens ?? 0
  expect(tokens(written)).toBeGreaterThan(tokens(alone.written))
})

test('[E13] an answer that says something else is turned down, and code writes the report', async () => {
  const { asked, written } = await answered('No, never.', { relation: 'different' })
  expect(asked).toEqual(['report', 'relation'])
  expect(written).toMatchObject({
    by: 'code',
    report: { answer: 'Build it.' },
    rejected: ['its answer isn\'t the leading position: "No, never."'],
  })
})

test('[E13] an answer that could not be compared is turned down too', async () => {
  const error = { kind: 'wrong-key', message: 'no' } as const
  const { events, written } = await answered('No, never.', { parts: [{ type: 'error', error }] })
  expect(written).toMatchObject({ by: 'code', report: { answer: 'Build it.' } })
  expect(events).toContainEqual(expect.objectContaining({ type: 'moderator-failed', task: 'report', error }))
})

/** An open poll whose moderator groups two seats, and replies so to its checks of pairs, one reply after the other. */
const compared = async (...replies: ScriptedReply[]) => {
  const asked: string[] = []
  const provider = scripted(call => {
    const { name } = call.shape
    asked.push(name)
    if (name === 'relations') return replies[asked.filter(one => one === name).length - 1] ?? {}
    if (name === 'relation') return { relation: 'same' }
    return { answer: '{leading}', summary: 'It was weighed.', counterpoint: null }
  })
  const open = table({ seats: 3, protocol: 'poll', rounds: 0, moderator: 'scripted/moderator' })
    .round(0, ['Build it.', 'Do build.', 'Never.'])
    .labels(0, ['build', 'build', 'never'])
  const events = await run(runnerOf(provider), open.events)
  return { asked, events, verdict: verdictOf(fold(events)) }
}

test('[P81] all pairs of a round are one call', async () => {
  const { asked, verdict } = await compared({ p1: 'same', p2: 'compatible' })
  expect(asked).toEqual(['relations', 'report'])
  expect(verdict).toMatchObject({
    line: '2 of 3 models agreed; the other answer does not deny theirs',
    flags: [],
  })
})

test('[P82] a reply without some pairs is repaired once', async () => {
  const { asked, verdict } = await compared({ p2: 'different' }, { p1: 'same', p2: 'different' })
  expect(asked).toEqual(['relations', 'report', 'relations'])
  expect(verdict).toMatchObject({ line: '2 of 3 models agreed', flags: [] })
})

test('[P82] what is missing in the second reply too is asked by itself, and what stands in it counts', async () => {
  const { asked, events, verdict } = await compared({}, { p2: 'compatible' })
  expect(asked).toEqual(['relations', 'report', 'relations', 'relation'])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'memberships-checked',
      checks: [{ seat: 's3', exemplar: 's1@0', relation: 'compatible' }],
      missing: [{ seat: 's2', exemplar: 's1@0' }],
      usage: expect.objectContaining({ inputTokens: expect.any(Number) }),
    }),
  )
  expect(verdict).toMatchObject({ agree: 2, flags: [], final: { compatible: [['c1', 'c2']] } })
})

test('[P82] a provider that fails makes the grouping contested, and nothing is asked again', async () => {
  const error = { kind: 'wrong-key', message: 'no' } as const
  const { asked, verdict } = await compared({ parts: [{ type: 'error', error }] })
  expect(asked).toEqual(['relations', 'report'])
  expect(verdict.flags).toContain('contested grouping')
})

test('[P82] wherever a log is cut off, no pair that was answered is asked about again', async () => {
  const { events } = await compared({}, { p2: 'compatible' })
  for (const length of events.keys()) {
    if (length === 0) continue
    const session = fold(events.slice(0, length))
    const known = Object.keys(session.roundsSoFar[0]?.checks ?? {})
    for (const command of groupClosed(session)) {
      const pairs = command.type === 'check-memberships' ? command.pairs : []
      const single = command.type === 'check-membership' ? [command] : []
      for (const { seat, exemplar } of [...pairs, ...single])
        expect(known).not.toContain(checkKey(seat, exemplar))
    }
  }
})
