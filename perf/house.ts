/** Runs sessions of the built-in model one after another: how they end, how long they take, what they use. */

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { floor, house } from '../src/builtin/provider.ts'
import type { SessionDocument } from '../src/exports/json.ts'
import { createRoundtable } from '../src/library/index.ts'
import type { AskInput } from '../src/table/ask.ts'
import { houseTable } from '../src/table/seats.ts'
import { agreedEngine } from './engine.ts'

const help = `node perf/house.ts <model.gguf> [--runs 20] [--minutes 30] [--show]

Asks a choice question, an open one and a number one, so many times each, and ends early when the minutes are over.`

const questions: readonly Partial<AskInput>[] = [
  { question: 'Should a small team write tests before code?', format: 'choice', options: ['Yes', 'No'] },
  { question: 'How many hours of sleep does an adult need?', format: 'number', unit: 'hours' },
  { question: 'What makes a good neighbour?', format: 'open' },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '30' },
    show: { type: 'boolean', default: false },
  },
})
const [path] = positionals
if (path === undefined) {
  console.error(help)
  process.exit(2)
}

const provider = house({ engine: agreedEngine, weights: async () => path })
const table = createRoundtable({ providers: [provider] })
const minutesEach = Number(values.minutes) / questions.length

/** The peak memory of the model's process in MB, as the system reports it. */
const peakMemory = (): number => {
  const status = execFileSync('cat', [`/proc/${provider.pid}/status`], { encoding: 'utf8' })
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

interface Run {
  readonly seconds: number
  readonly answers: number
  readonly unreadable: number
  readonly tokens: number
  readonly writing: number
  readonly outcome: string
}

const measured = (document: SessionDocument, seconds: number): Run => {
  const run = {
    seconds,
    answers: 0,
    unreadable: 0,
    tokens: 0,
    writing: 0,
    outcome: document.outcome ?? 'none',
  }
  for (const event of document.events) {
    if (event.type === 'seat-silent' || event.type === 'seat-abstained') run.unreadable++
    if (event.type !== 'answer-given') continue
    run.answers++
    run.tokens += event.usage?.outputTokens ?? 0
    run.writing += (event.timing?.total ?? 0) - (event.timing?.firstToken ?? 0)
  }
  return run
}

const show = (document: SessionDocument): void => {
  for (const event of document.events) {
    if (event.type === 'answer-given')
      console.log(`  ${event.round} ${event.seat} ${JSON.stringify(event.answer)} ${event.timing?.total} ms`)
    if (event.type === 'seat-silent') console.log(`  ${event.seat} silent: ${event.error.message}`)
    if (event.type === 'membership-checked')
      console.log(`  ${event.seat} ~ ${event.exemplar}: ${event.relation}`)
    if (event.type === 'report-written') console.log(`  report: ${JSON.stringify(event.report)}`)
  }
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

for (const question of questions) {
  const runs: Run[] = []
  const endsAt = performance.now() + minutesEach * 60_000
  while (runs.length < Number(values.runs) && performance.now() < endsAt) {
    const start = performance.now()
    const document = await table.ask({ question: '', ...houseTable(floor), ...question }).result
    const run = measured(document, (performance.now() - start) / 1_000)
    runs.push(run)
    if (values.show) {
      console.log(
        `${question.format} run ${runs.length}: ${run.seconds.toFixed(1)} s, ${document.verdict.line}`,
      )
      show(document)
    }
  }
  const seconds = runs.map(run => run.seconds)
  console.log(
    [
      `${question.format}: ${runs.length} runs`,
      `${runs.filter(run => run.outcome === 'verdict').length} verdicts`,
      `${sum(runs.map(run => run.answers))} answers`,
      `${sum(runs.map(run => run.unreadable))} unreadable`,
      `median ${middle(seconds).toFixed(1)} s, longest ${Math.max(...seconds).toFixed(1)} s`,
      `${((sum(runs.map(run => run.tokens)) / sum(runs.map(run => run.writing))) * 1_000).toFixed(1)} tokens/s`,
      `peak memory ${peakMemory()} MB`,
    ].join(', '),
  )
}
provider.stop()
