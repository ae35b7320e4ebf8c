/**
 * How many calls of a session follow one another, and how long the verdict takes: `npm run perf:stages`. Every protocol and
 * format, one and two open rounds, six seats on a paced model server: 200 ms to the first token, 100 tokens a second, 200
 * tokens. Beside each figure stands the one of the version before readings, from `stages-before.json`. To measure another
 * version, run this file there with `--write <file>`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createRoundtable } from '../src/library/index.ts'
import { protocols } from '../src/protocols/index.ts'
import { now, type RecordedCall } from '../test/lab/call.ts'
import { startLab } from '../test/lab/server.ts'
import { replyIn, type TableKind, tableKinds } from '../test/lab/table-replies.ts'

const { values } = parseArgs({ options: { write: { type: 'string' }, only: { type: 'string' } } })

const seats = 6
/** Sessions at the same time: more would wait for the processor, not for the models. */
const atOnce = 6
const pace = { firstTokenMs: 200, tokensPerSecond: 100 }

const formats = {
  open: {},
  choice: { format: 'choice', options: ['Rail', 'Road'] },
  ranking: { format: 'ranking', options: ['Rail', 'Road'] },
  number: { format: 'number' },
} as const

interface Case {
  readonly name: string
  readonly protocol: string
  readonly format: keyof typeof formats
  readonly rounds: number
  readonly kind: TableKind
}

interface Figures {
  readonly stages: number
  readonly sealed: number
  readonly seconds: number
  readonly calls: number
  readonly tokens: number
}

const cases: Case[] = protocols.flatMap(({ id, rounds: allowed, formats: known }) =>
  (Object.keys(formats) as (keyof typeof formats)[])
    .filter(format => !known || known.includes(format))
    .flatMap(format =>
      (allowed.most === 0 ? [0] : [1, 2]).flatMap(rounds =>
        tableKinds.map(kind => ({
          name: `${id}, ${format}, ${rounds} open, ${kind}`,
          protocol: id,
          format,
          rounds,
          kind,
        })),
      ),
    ),
)

interface Ended extends RecordedCall {
  endedAt?: number
}

/** Milliseconds by which an end may be seen too late. A call takes two seconds. */
const slack = 100

/** The longest row of calls of which each began when the one before had ended. */
const stagesIn = (calls: readonly Ended[]): number => {
  const depths: { readonly end: number; readonly depth: number }[] = []
  for (const call of calls.toSorted((one, other) => one.at - other.at)) {
    const before = depths.filter(({ end }) => end <= call.at + slack).map(({ depth }) => depth)
    depths.push({ end: call.endedAt ?? Infinity, depth: 1 + Math.max(0, ...before) })
  }
  return Math.max(0, ...depths.map(({ depth }) => depth))
}

const measure = async (lab: Awaited<ReturnType<typeof startLab>>, one: Case): Promise<Figures> => {
  const { protocol, rounds, kind, format, name } = one
  const question = `Which way should the goods go (${name})?`
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
  const begun = now()
  const { events, result } = roundtable.ask({
    question,
    ...formats[format],
    protocol,
    rounds,
    seats: Array.from({ length: seats }, (_, seat) => `lab/${kind}-m${seat + 1}`),
    moderator: `lab/${kind}-moderator`,
    seed: 'stages',
  } as Parameters<typeof roundtable.ask>[0])
  let answers = 0
  let sealed = 0
  let tokens = 0
  for await (const event of events) {
    if (event.type === 'answer-given' && ++answers === seats) sealed = (now() - begun) / 1_000
    if ('usage' in event && event.usage) tokens += event.usage.inputTokens + event.usage.outputTokens
  }
  const seconds = (now() - begun) / 1_000
  await result
  const calls = lab.calls.filter(({ body }) =>
    body.messages.some(({ content }) => content.includes(question)),
  )
  return { stages: stagesIn(calls), sealed, seconds, calls: calls.length, tokens }
}

const run = async (): Promise<Record<string, Figures>> => {
  const lab = await startLab({ ...pace, handler: replyIn })
  // A call has ended when its state changes; the lab keeps no time for it.
  const watching = setInterval(() => {
    for (const call of lab.calls as Ended[]) if (call.state !== 'open') call.endedAt ??= now()
  }, 5)
  const waiting = cases.filter(({ name }) => !values.only || name.includes(values.only))
  const measured = new Map<string, Figures>()
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift())
      measured.set(one.name, await measure(lab, one))
  }
  try {
    await measure(lab, { ...cases[0]!, name: 'to warm up' })
    await Promise.all(Array.from({ length: atOnce }, worker))
  } finally {
    clearInterval(watching)
    await lab.stop()
  }
  return Object.fromEntries(
    cases.flatMap(({ name }) => (measured.has(name) ? [[name, measured.get(name)!]] : [])),
  )
}

const figures = await run()
if (values.write) writeFileSync(values.write, `${JSON.stringify(figures, null, 2)}\n`)
else {
  const before = JSON.parse(readFileSync(new URL('stages-before.json', import.meta.url), 'utf8')) as Record<
    string,
    Figures
  >
  const beside = (name: string, field: keyof Figures, digits = 0): string =>
    `${before[name]?.[field].toFixed(digits) ?? '–'} → ${figures[name]![field].toFixed(digits)}`.padStart(16)
  const head = ['stages', 'seconds', 'sealed tally', 'calls', 'tokens']
    .map(word => word.padStart(16))
    .join('')
  console.log(`${'before → after'.padEnd(48)}${head}`)
  for (const name of Object.keys(figures))
    console.log(
      `${name.padEnd(48)}${beside(name, 'stages')}${beside(name, 'seconds', 1)}${beside(name, 'sealed', 1)}${beside(name, 'calls')}${beside(name, 'tokens')}`,
    )
}
