/** Whatever models reply and clocks do: what is shown live, what is stored and what is read back are the same. */

import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { eventSchema, type LiveEvent, type SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Question } from '../core/question.ts'
import { json } from '../exports/json.ts'
import type { ModelCall, ModelPart } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { protocols } from '../protocols/index.ts'
import { memoryStore } from '../store/memory.ts'
import { callQueues } from './budget.ts'
import { type Runner, run } from './run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hostileReplies: number
  }
}

/** In all sessions together. More by hand: `HOSTILE_REPLIES=10000 npx vitest run src/run/run.sound-log.test.ts`. */
const wanted = inject('hostileReplies')

/** Pieces of JSON, as models write them or would never write them. */
const oddNumbers = ['1e400', '-1e999', '"1e400"', '"-1e999"', '"NaN"', '-0', '1e-400', '9007199254740993']
const oddTexts = [
  '"\\ud83d"',
  '"\\udc00 begins"',
  '"NUL \\u0000"',
  '"\\u2028"',
  '"<<<"',
  '"{seat}"',
  '""',
  '" "',
]
const oddValues = ['null', 'true', '[]', '{}', '[[["a"]]]', '{"__proto__":{"x":1}}', '["\\ud83d","\\ud83d"]']
const odd = fc.constantFrom(...oddNumbers, ...oddTexts, ...oddValues)
const names = ['A', 'B', 'C', 's1', 'constructor', '__proto__', 'toString', '\ud800']

interface Hostility {
  /** By field: what stands in its place. */
  readonly fields: Readonly<Record<string, string>>
  readonly around: readonly [string, string]
  readonly usage: ModelPart | undefined
  readonly end: ModelPart
  readonly clock: number
}

const figure = fc.constantFrom(0, 12, 1e300, -1, Number.NaN, Infinity, 0.5)
const hostility: fc.Arbitrary<Hostility> = fc.record({
  fields: fc.dictionary(
    fc.constantFrom(
      ...[
        'headline',
        'reasoning',
        'confidence',
        'number',
        'low',
        'high',
        'choice',
        'ranking',
        'text',
        'credit',
      ],
      ...['points', 'changed', 'reading', 'citations', 'relation', 'objection', 'answer', 'moved', 'reasons'],
    ),
    odd,
    { maxKeys: 3 },
  ),
  around: fc.constantFrom<(readonly [string, string])[]>(
    ['', ''],
    ['', ''],
    ['', ''],
    ['\ud83d', '\udc00'],
    ['```json\n', '\n```'],
    ['{"headline":', '}'],
    ['<think>\0', ''],
  ),
  usage: fc.option(
    fc
      .record({ inputTokens: figure, outputTokens: figure, cachedTokens: figure, searches: figure })
      .map(usage => ({ type: 'usage', usage }) as const),
    { nil: undefined },
  ),
  end: fc.constantFrom<ModelPart[]>(
    { type: 'finish', reason: 'stop' },
    { type: 'finish', reason: 'stop' },
    { type: 'finish', reason: 'stop' },
    { type: 'finish', reason: 'length' },
    { type: 'error', error: { kind: 'bad-request', message: 'half \ud83d', status: 12.5 } },
    { type: 'error', error: { kind: 'server-error', message: '\0'.repeat(99), status: -1 }, retryAfterMs: 1 },
  ),
  clock: fc.constantFrom(0, 1, 60_000, -60_000, -1e12, 0.25),
})

type Shape = Readonly<Record<string, unknown>>

/** Something of the form that was asked for: most hostile replies would otherwise fail at the first look. */
const valueFor = (shape: Shape, turn: number): unknown => {
  const { type, properties, items, enum: listed } = shape as Record<string, unknown>
  if (Array.isArray(listed)) return listed[turn % listed.length]
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'object' || properties)
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Record<string, Shape>).map(([key, one]) => [
        key,
        valueFor(one, turn),
      ]),
    )
  const all = (items as Shape | undefined)?.enum
  if (Array.isArray(all)) return all.toSorted(() => (turn % 2) - 0.5)
  if (kind === 'array') return items ? [valueFor(items as Shape, turn)] : []
  if (kind === 'number' || kind === 'integer') return turn % 7 === 0 ? 0.4 : 1 + (turn % 3)
  return kind === 'boolean' ? turn % 2 === 0 : `Words ${names[turn % names.length]}`
}

const replyTo = (call: ModelCall, turn: number, { fields, around, usage, end }: Hostility) => {
  const fair = valueFor(call.shape.json as Shape, turn) as Record<string, unknown>
  const written = Object.entries(fair).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  )
  const hostile = Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}:${value}`)
  const text = `${around[0]}{${[...written, ...hostile].join(',')}}${around[1]}`
  return { parts: [{ type: 'text', text } as const, ...(usage ? [usage] : []), end] }
}

const questions: readonly Question[] = [
  questionOf({ format: 'open' }),
  questionOf({ format: 'choice', options: ['Yes', 'No', 'Half'] }),
  questionOf({ format: 'ranking', options: ['A', 'B', 'C'] }),
  questionOf({ format: 'number' }),
  questionOf({ format: 'number', scale: 'log', unit: 'km' }),
  questionOf({ format: 'text' }),
]

const fits = (protocol: string, { format }: Question): boolean =>
  protocol === 'market' ? format === 'choice' : protocol !== 'delphi' || format !== 'text'

const cases = protocols.flatMap(({ id }) =>
  questions.filter(question => fits(id, question)).map(question => ({ id, question })),
)

const opened = ({ id, question }: (typeof cases)[number], place: number): readonly SessionEvent[] =>
  table({
    id: `s${place}`,
    seats: seatsOf(3).map(seat => ({ ...seat, model: `scripted/${seat.id}` })),
    ...{ question, protocol: id, rounds: id === 'poll' ? 0 : 1, moderator: 'scripted/moderator' },
  }).events

/** The session with what watchers saw of its log, and how many replies that took. */
const held = async (begun: readonly SessionEvent[], replies: readonly Hostility[]) => {
  const store = memoryStore()
  const { id } = fold(begun)
  await store.append(id, begun)
  let turn = 0
  let now = Date.parse(begun[0]!.at)
  const shown: LiveEvent[] = [...begun]
  const provider = scripted(call => {
    const reply = replies[turn++ % replies.length]!
    now += reply.clock
    return replyTo(call, turn, reply)
  })
  const runner: Runner = {
    ...{ providers: [provider], openQueue: callQueues(), clock: () => now, store },
    signal: new AbortController().signal,
    publish: event => shown.push(event),
  }
  const log = await run(runner, begun)
  const seen = shown.filter(event => 'position' in event)
  return { log, seen, stored: await store.read(id), replies: turn }
}

const write = (log: readonly SessionEvent[]): string => json().write(log)
const readBack = (text: string): SessionEvent[] =>
  json().read!(text, { newId: () => 'again', clock: () => 0 })

test('[R371] no reply and no clock brings an event into a log that cannot be read back as it was shown', async () => {
  const hostilities = fc.sample(fc.array(hostility, { minLength: 1, maxLength: 7 }), {
    seed: 2026,
    numRuns: 3_000,
  })
  let [replies, place] = [0, 0]
  while (replies < wanted) {
    const {
      log,
      seen,
      stored,
      replies: more,
    } = await held(opened(cases[place % cases.length]!, place), hostilities[place % hostilities.length]!)
    place++
    replies += more
    for (const event of log)
      expect(eventSchema.safeParse(event).error?.issues, JSON.stringify(event)).toBeUndefined()
    const times = log.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
    JSON.stringify(log, (_key, value) => {
      if (typeof value === 'string') expect(value.isWellFormed()).toBe(true)
      return value
    })
    expect(seen).toEqual(log)
    expect(stored).toEqual(log)
    expect(fold(stored)).toEqual(fold(log))
    const document = write(log)
    expect(write(readBack(document))).toBe(document)
  }
}, 1_200_000)

test('[R371] what a log cannot hold counts as no answer, with the reason and what it cost', async () => {
  const usage = { inputTokens: 5, outputTokens: 1 }
  const end: ModelPart = { type: 'error', error: { kind: 'bad-request', message: 'odd', status: 12.5 } }
  const odd: Hostility = {
    fields: {},
    around: ['', ''],
    usage: { type: 'usage', usage },
    end,
    clock: -60_000,
  }
  const { log } = await held(opened(cases[0]!, 0), [odd])
  expect(log.find(event => event.type === 'seat-silent')).toMatchObject({
    error: {
      kind: 'bad-shape',
      message: expect.stringMatching(/can't be kept in a log: error\.status: .*int/),
    },
    usage,
    timing: { total: 0 },
  })
  expect(log.at(-1)).toMatchObject({ type: 'session-finished', outcome: 'no-quorum' })
})
