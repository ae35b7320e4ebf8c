/** A fork whose process is killed: it goes on, and pays for nothing that was copied or answered. */
import { expect, onTestFinished, test } from 'vitest'
import { terminals } from './command-line.ts'
import { startLab } from './lab/server.ts'
import { replyIn } from './lab/table-replies.ts'

const seats = (last: number): string => [1, 2, last].map(seat => `lab/split-m${seat}`).join(',')

test('[R236] [T230] after kill -9, a fork in round 1 with another model has made the calls after that round, and no more', {
  timeout: 400_000,
}, async () => {
  let holding = false
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const lab = await startLab({
    async handler(call) {
      if (holding && call.body.response_format?.json_schema?.name === 'report') {
        holding = false
        reached.resolve()
        await held.promise
      }
      return replyIn(call)
    },
  })
  onTestFinished(() => lab.stop())
  const { start, run } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`, ROUNDTABLE_LOCAL: 'no' })
  const chats = () => lab.calls.filter(({ path }) => path.endsWith('/chat/completions'))
  const shapeOf = (call: (typeof lab.calls)[number]) => call.body.response_format?.json_schema?.name
  const table = ['--moderator', 'lab/split-moderator', '--protocol', 'roundtable', '--rounds', '2']
  const asked = await run('ask', 'Which way should the goods go?', '--seats', seats(3), ...table)
  expect(asked.code).toBe(0)
  const whole = JSON.parse((await run('show', 'last', '--json')).out)
  const ofRound = (round: number) =>
    whole.events.filter(
      (event: { type: string; round?: number }) => event.type === 'answer-given' && event.round === round,
    ).length
  expect([ofRound(0), ofRound(1), ofRound(2)]).toEqual([3, 3, 3])

  const before = chats().length
  holding = true
  const fork = start(['fork', whole.id, '--at', '1', '--seats', seats(8)])
  await reached.promise
  fork.child.kill('SIGKILL')
  await fork.done
  held.resolve()
  const resumed = await run('resume', 'last')
  expect(resumed.code).toBe(0)
  const after = chats().slice(before)
  // Round 2 is asked once; only the report, which was being written, is asked for again.
  expect(
    after
      .filter(({ body }) => /-m\d$/.test(body.model))
      .map(({ body }) => body.model)
      .sort(),
  ).toEqual(['split-m1', 'split-m2', 'split-m8'])
  expect(after.filter(call => shapeOf(call) === 'report')).toHaveLength(2)
  const end = JSON.parse((await run('show', 'last', '--json')).out)
  expect(end.forkedFrom).toEqual({ session: whole.id, round: 1 })
  expect(end.outcome).toBe('verdict')
  const shown = (await run('show', 'last')).out
  expect(shown).toContain(`Fork of session ${whole.id} after round 1`)
  expect(shown).toMatch(/The thread/)
})
