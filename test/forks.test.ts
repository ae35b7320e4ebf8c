/** A fork in the middle of a session, through the real wire: what it asks, what it pays for, and what it may change. */

import { afterEach, describe, expect, test } from 'vitest'
import type { SessionEvent } from '../src/core/event.ts'
import { closedRounds, fold, sharedLog } from '../src/core/fold.ts'
import { roundAt } from '../src/core/session.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { createRoundtable } from '../src/library/index.ts'
import { protocols } from '../src/protocols/index.ts'
import { memoryStore } from '../src/store/memory.ts'
import type { AskInput } from '../src/table/ask.ts'
import type { LabOptions } from './lab/options.ts'
import { type Lab, startLab } from './lab/server.ts'
import { replyIn } from './lab/table-replies.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.stop()
  lab = undefined
})

const chats = () => lab!.calls.filter(({ path }) => path.endsWith('/chat/completions'))

/** Calls that an answer came from. */
const answered = (log: readonly SessionEvent[]): number =>
  log.filter(event => 'usage' in event && event.usage !== undefined).length

const tableOn = async (options: LabOptions = {}) => {
  lab = await startLab({ handler: replyIn, ...options })
  return createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], store: memoryStore() })
}

const yesOrNo = { format: 'choice', options: ['Rail', 'Road'] } as const

const asked = (protocol: string, more: Partial<AskInput> = {}): AskInput => ({
  question: 'Which way should the goods go?',
  seats: Array.from({ length: 6 }, (_, seat) => `lab/split-m${seat + 1}`),
  moderator: 'lab/split-moderator',
  protocol,
  rounds: Math.min(2, protocols.find(({ id }) => id === protocol)!.rounds.most),
  ...more,
})

const ids = protocols.map(({ id }) => id)

describe('every protocol', () => {
  test.each(ids)(
    '[R230] %s can be forked at every closed round: only the calls after that round are made',
    async protocol => {
      const table = await tableOn()
      const { events: whole } = await table.ask(asked(protocol, yesOrNo)).result
      const rounds = closedRounds(fold(whole))
      expect(rounds[0]).toBe(0)
      for (const at of rounds) {
        const before = chats().length
        const fork = await table.fork(whole, { at }).result
        const shared = sharedLog(whole, at, true)
        expect([at, chats().length - before]).toEqual([at, answered(whole) - answered(shared)])
        expect(fork.outcome).toBe('verdict')
        expect(fork.verdict.line).toBe(verdictOf(fold(whole)).line)
        expect(fork.forkedFrom).toEqual({ session: fold(whole).id, round: at })
      }
    },
    120_000,
  )

  test.each(ids)(
    '[R231] a session of %s goes on with any other protocol that takes its format',
    async protocol => {
      const table = await tableOn()
      const { events: whole } = await table.ask(asked(protocol, yesOrNo)).result
      for (const other of ids.filter(id => id !== protocol))
        for (const at of closedRounds(fold(whole))) {
          const fork = await table.fork(whole, { at, protocol: other }).result
          expect([other, at, fork.outcome]).toEqual([other, at, 'verdict'])
          expect(fork.protocol).toBe(other)
        }
    },
    120_000,
  )
})

test('[R232] a fork with another model asks it from the next round on, and nobody for what was said', async () => {
  const table = await tableOn()
  const { events: whole } = await table.ask(asked('roundtable', yesOrNo)).result
  const seats = [
    'lab/split-m1',
    'lab/split-m2',
    'lab/split-m3',
    'lab/split-m4',
    'lab/split-m5',
    'lab/split-m8',
  ]
  const before = chats().length
  const fork = await table.fork(whole, { at: 1, seats }).result
  const after = chats().slice(before)
  const models = after.map(({ body }) => body.model)
  expect(after).toHaveLength(answered(whole) - answered(sharedLog(whole, 1, true)))
  expect(models.filter(model => model === 'split-m8')).toHaveLength(1)
  expect(models).not.toContain('split-m6')
  const session = fold(fork.events)
  expect(session.seats[5]).toMatchObject({ id: 's6', alias: 'F', model: 'lab/split-m8' })
  expect(roundAt(session, 1)?.handedIn.s6?.by).toMatchObject({ model: 'lab/split-m6' })
  expect(roundAt(session, 2)?.handedIn.s6?.by).toBeUndefined()
})

test('[R233] what a fork copied is not counted as spent: its sums are those of its own calls, and so is its budget', async () => {
  const table = await tableOn()
  const whole = await table.ask(asked('roundtable')).result
  const fork = await table.fork(whole.events, { at: 1 }).result
  const tokens = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
    inputTokens + outputTokens
  const own = fork.events.slice(sharedLog(whole.events, 1, true).length)
  const made = own.flatMap(event => ('usage' in event && event.usage ? [tokens(event.usage)] : []))
  expect(tokens(fork.usage)).toBe(made.reduce((sum, count) => sum + count, 0))
  expect(fork.usageByRound[0]).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: 0 })
  expect(tokens(fork.usage)).toBeLessThan(tokens(whole.usage) / 2)
  expect(fork.rounds[0]?.answers[0]).toMatchObject({ copied: true })
  // A cap that what was copied alone would exceed.
  const copied = tokens(whole.usage) - tokens(fork.usage)
  const capped = await table.fork(whole.events, { at: 2, budget: { tokens: copied } }).result
  expect(capped.outcome).toBe('verdict')
})

test('[R234] a session that was stopped by its budget goes on in a fork with a larger one', async () => {
  const table = await tableOn()
  const short = await table.ask(asked('roundtable', { budget: { tokens: 16_000 } })).result
  expect(short.outcome).toBe('budget')
  const at = closedRounds(fold(short.events)).at(-1)!
  const before = chats().length
  const fork = await table.fork(short.events, { at, budget: { tokens: 1_000_000 } }).result
  expect(fork.outcome).toBe('verdict')
  const given = fold(short.events).roundsSoFar.flatMap(round => Object.values(round.handedIn))
  const again = chats().slice(before)
  const sealed = given.filter(({ status }) => status === 'given').length
  expect(again.filter(({ body }) => body.model.startsWith('split-m')).length).toBeLessThan(
    6 * 3 + 6 - Math.min(6, sealed),
  )
})

test('[R235] a fork can be forked again, and an end in the middle of a log is no end of the fork', async () => {
  const table = await tableOn()
  const { events: whole } = await table.ask(asked('roundtable')).result
  const first = await table.fork(whole, { at: 0 }).result
  const second = await table.fork(first.events, { at: 1, names: 'shown' }).result
  expect(second.forkedFrom).toEqual({ session: first.id, round: 1 })
  expect(second.names).toBe('shown')
  expect(second.outcome).toBe('verdict')
  expect(second.events.filter(({ type }) => type === 'session-forked')).toHaveLength(2)
})

describe('refusals', () => {
  const refused = async (changes: Partial<AskInput> & { at?: number }): Promise<string> => {
    const table = await tableOn()
    const { events } = await table.ask(asked('roundtable')).result
    return table.fork(events, changes).result.then(
      () => 'it was forked',
      (error: Error) => error.message,
    )
  }

  test('[A230] the middle of a session keeps its question and its number of seats, and says what to do', async () => {
    expect(await refused({ at: 1, question: 'Another?' })).toMatch(/"question" can't change .*from the start/)
    expect(await refused({ at: 1, seats: ['lab/split-m1'] })).toMatch(/it has 6, and 1 are named/)
    expect(await refused({ at: 7 })).toMatch(/Round 7 is not a closed round .*at 0, 1, 2/)
  })

  test('[A231] a newcomer whom no round is left for is refused, unless more rounds are allowed', async () => {
    const seats = Array.from({ length: 6 }, (_, seat) => `lab/split-m${seat + 2}`)
    expect(await refused({ at: 2, seats, rounds: 2 })).toMatch(/No round is left/)
    expect(await refused({ at: 2, seats })).toBe('it was forked')
  })
})

test('[L230] the library forks a session from the start, too, and links the two', async () => {
  const table = await tableOn()
  const whole = await table.ask(asked('poll', yesOrNo)).result
  const fork = await table.fork(whole.events, { question: 'Which way should people go?' }).result
  expect(fork.forkedFrom).toEqual({ session: whole.id })
  expect(fork.question).toBe('Which way should people go?')
  expect(fork.options).toEqual(['Rail', 'Road'])
  const next = await table.ask({ question: 'And letters?', after: whole.id, ...yesOrNo }).result
  expect(next.after).toMatchObject({ session: whole.id, carry: 'camps' })
  expect(next.seats.map(({ model }) => model)).toEqual(whole.seats.map(({ model }) => model))
  await expect(table.ask({ question: 'Why?', after: 'nobody' }).result).rejects.toThrow('no session "nobody"')
})
