/** Wall time with one seat five times slower than the others, with a patience of 2 and without: `npm run perf:patience`. */
import type { LiveEvent } from '../src/core/event.ts'
import { createRoundtable } from '../src/library/index.ts'
import { startLab } from '../test/lab/server.ts'

/** Tokens a second; an answer of the lab takes about five seconds at the first of them. */
const [usual, slow] = [30, 6]
const quick = ['a', 'b', 'c', 'd', 'e']

const lab = await startLab({
  tokens: 150,
  tokensPerSecond: usual,
  models: { slow: { tokensPerSecond: slow } },
})

const measure = async (patience?: number) => {
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }] })
  const started = performance.now()
  const { events, result } = roundtable.ask({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: [...quick, 'slow'].map(name => `lab/${name}`),
    moderator: null,
    protocol: 'roundtable',
    rounds: 2,
    ...(patience !== undefined && { patience }),
  })
  const seen: LiveEvent[] = []
  for await (const event of events) seen.push(event)
  const { rounds, verdict } = await result
  const seconds = (performance.now() - started) / 1_000
  const answers = rounds.flatMap(round => round.answers)
  return {
    seconds,
    overdue: seen.filter(({ type }) => type === 'seat-overdue').length,
    late: answers.filter(({ status, late }) => status === 'given' && late !== undefined).length,
    missing: answers.filter(({ status }) => status !== 'given').length,
    sealed: verdict.sealed?.answered,
  }
}

const [without, patient] = [await measure(), await measure(2)]
for (const [name, found] of [
  ['waits for everybody', without],
  ['--patience 2', patient],
] as const)
  console.log(
    `${name.padEnd(22)} ${found.seconds.toFixed(1).padStart(6)} s   overdue ${found.overdue}, late and counted ${found.late}, not in time ${found.missing}, sealed answers ${found.sealed}`,
  )
console.log(`ratio                  ${(patient.seconds / without.seconds).toFixed(2).padStart(6)}`)
await lab.stop()
