/** Speed, as ratios of two things measured in the same run: `npm run perf`. */
import { searching } from './archive.ts'
import { faces } from './faces.ts'
import { firstToken } from './first-token.ts'
import { inputTokens } from './input-tokens.ts'
import { loadSessions } from './load-sessions.ts'
import { replaying } from './replay.ts'
import { callSeconds, measure, startServer } from './setup.ts'
import { startup } from './startup.ts'
import { watching } from './watchers.ts'

const row = (what: string, ours: number, bare: number | undefined, limit: number): void => {
  const mark = ours <= limit ? 'ok' : 'TOO SLOW'
  const beside = bare === undefined ? '' : bare.toFixed(3)
  console.log(
    `${what.padEnd(58)} ${ours.toFixed(3).padStart(8)} ${beside.padStart(8)} ${String(Number(limit.toFixed(2))).padStart(6)}  ${mark}`,
  )
}

const server = await startServer()
const path = 3 * callSeconds
console.log(
  `${'two rounds and a report, 200 tokens per reply'.padEnd(58)} ${'ours'.padStart(8)} ${'bare'.padStart(8)} ${'limit'.padStart(6)}`,
)

for (const [seats, sessions, limit] of [
  [6, 1, 1.01],
  [50, 1, 1.02],
  [6, 50, 1.05],
] as const) {
  // Three times if a single hiccup of the machine would decide the result.
  const job = { baseURL: server.paced, seats, sessions, repeat: sessions > 1 ? 3 : 1 }
  const ours = await measure({ ...job, client: 'roundtable' })
  const bare = await measure({ ...job, client: 'bare' })
  row(`wall time / critical path: ${sessions} × ${seats} seats`, ours.wall / path, bare.wall / path, limit)
  if (sessions === 1) continue
  row('  processor time / bare fetch loop, streaming', ours.processor / bare.processor, 1, 2)
}

const burst = { baseURL: server.unpaced, seats: 6, sessions: 100, repeat: 3 }
const ours = await measure({ ...burst, client: 'roundtable' })
const bare = await measure({ ...burst, client: 'bare' })
row('processor time / bare fetch loop, all tokens at once, 100 × 6', ours.processor / bare.processor, 1, 4)

const { library, terminal } = await firstToken(server.paced)
row('milliseconds from the first token sent to its event', library, undefined, 20)
row('milliseconds from the first token sent to the terminal', terminal, undefined, 20)

for (const { face, processor, later } of await faces(server.unpaced, server.paced)) {
  row(`processor time / library, in memory: a debate through ${face}`, processor, 1, 1.2)
  row('  milliseconds that its first word comes later', later, undefined, 20)
}

console.log('\ninput tokens of hybrid, two open rounds')
for (const { seats, tokens, perSeat } of await inputTokens(server.unpaced)) {
  console.log(
    `${String(seats).padStart(5)} seats ${String(tokens).padStart(9)} tokens, ${perSeat.toFixed(3)} times as many per seat as with 6`,
  )
}

console.log(
  "\n200 sessions of 6 seats at once in one process, streamed; a database server's own time isn't counted",
)
const [alone, ...kept] = await loadSessions(server.paced)
for (const { store, processor, megabytes } of kept) {
  row(`processor time / library without a store: ${store}`, processor / alone!.processor, 1, 1.5)
  console.log(`  ${megabytes.toFixed(0)} MB, the library alone ${alone!.megabytes.toFixed(0)} MB`)
}
server.stop()

console.log('\nmilliseconds to start and exit, median of 9 alternating runs')
for (const { label, milliseconds } of startup()) {
  console.log(`${label.padEnd(58)} ${milliseconds.toFixed(0).padStart(8)}`)
}

console.log('\n500 watchers, 25,000 deliveries a second; 50,000 stored sessions')
const watched = await watching()
row('processor time / bare fan-out', watched.ours.processor / watched.bare.processor, 1, 1.3)
row('  events that were missed, repeated or out of order', watched.ours.wrong, watched.bare.wrong, 0)
row('  megabytes', watched.ours.megabytes, watched.bare.megabytes, 500)
const { results, megabytes } = await searching()
for (const { what, ours, bare } of results) row(`milliseconds, ${what}`, ours, bare, bare * 1.5 + 2)
row('  megabytes, including the embedded database', megabytes, undefined, 1_500)

const replayed = replaying()
row(`seconds to replay ${replayed.debates} debates in 34 sets`, replayed.seconds, undefined, 10)
