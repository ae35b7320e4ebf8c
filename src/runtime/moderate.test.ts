import { expect, test } from 'vitest'
import { table, yesOrNo } from '../core/testing.ts'
import type { Provider } from '../providers/provider.ts'
import { type ScriptedReply, scripted } from '../providers/scripted.ts'
import { callQueues } from './limits.ts'
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
  openQueue: callQueues([provider]),
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
    .settle()
  const events = await run(runnerOf(provider), open.events)
  return { asked, events, written: events.find(event => event.type === 'report-written') }
}

test('[E13] an answer in the words of the leading headline needs no comparison', async () => {
  for (const answer of ['Build it!', '{leading}']) {
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
