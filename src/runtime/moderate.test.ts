import { expect, test } from 'vitest'
import { table, yesOrNo } from '../core/testing.ts'
import { scripted } from '../providers/scripted.ts'
import { callQueues } from './limits.ts'
import { run } from './run.ts'

const log = table({
  seats: 3,
  question: yesOrNo,
  protocol: 'poll',
  rounds: 0,
  moderator: 'scripted/moderator',
})
const report = (summary: string) => ({ answer: 'Build it.', summary, counterpoint: null })

/** A poll whose moderator replies with these summaries, one after the other. */
const reported = async (...summaries: string[]) => {
  const asked: string[] = []
  const provider = scripted(call => {
    asked.push(call.user.join('\n'))
    return report(summaries[asked.length - 1] ?? '')
  })
  const runner = {
    providers: [provider],
    openQueue: callQueues([provider]),
    clock: () => 0,
    signal: new AbortController().signal,
    publish() {},
  }
  const events = await run(runner, log.round(0, ['Yes', 'Yes', 'No']).events)
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
