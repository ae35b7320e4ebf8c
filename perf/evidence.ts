/**
 * What attached files take: `npm run perf:evidence`. A PDF of 200 pages through our reader process beside the library alone, and
 * sessions with 1 MB of attached text beside the same without, on a model server that answers at once.
 */

import { extractText, getDocumentProxy } from 'unpdf'
import { readDocument } from '../src/evidence/files.ts'
import { createRoundtable } from '../src/library/index.ts'
import { pdfFile } from '../test/evidence/files.ts'
import { startServer } from './setup.ts'

const pages = 200
const seats = 6
const runs = 9

const linesOf = (count: number, of: string): string =>
  Array.from(
    { length: count },
    (_, line) => `${of}, line ${line + 1}: the tenant keeps the flat clean.`,
  ).join('\n')

interface Taken {
  /** Milliseconds. */
  readonly wall: number
  readonly processor: number
}

const taken = async (task: () => Promise<unknown>): Promise<Taken> => {
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  await task()
  const { user, system } = process.cpuUsage(cpu)
  return { wall: performance.now() - from, processor: (user + system) / 1e3 }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

const middle = (all: readonly Taken[]): Taken => ({
  wall: median(all.map(({ wall }) => wall)),
  processor: median(all.map(({ processor }) => processor)),
})

/** In alternation, so that other work of the machine affects both; the first of each only warms up. */
const sideBySide = async (ours: () => Promise<unknown>, bare: () => Promise<unknown>) => {
  const all: { ours: Taken; bare: Taken }[] = []
  for (let run = 0; run <= runs; run++) all.push({ ours: await taken(ours), bare: await taken(bare) })
  const measured = all.slice(1)
  return { ours: middle(measured.map(one => one.ours)), bare: middle(measured.map(one => one.bare)) }
}

const row = (what: string, ours: number, bare: number): void =>
  console.log(
    `${what.padEnd(58)} ${ours.toFixed(1).padStart(8)} ${bare.toFixed(1).padStart(8)} ${(ours / bare).toFixed(2).padStart(7)}`,
  )

const head = (what: string): void =>
  console.log(`${what.padEnd(58)} ${'ours'.padStart(8)} ${'beside'.padStart(8)} ${'ratio'.padStart(7)}`)

const pdf = pdfFile(Array.from({ length: pages }, (_, page) => linesOf(45, `Page ${page + 1}`)))

/** Both take a copy: the library keeps the bytes that it is given. */
const byLibrary = async (): Promise<number> => {
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 })
  const { text } = await extractText(document, { mergePages: false })
  await document.loadingTask.destroy()
  return text.length
}
const inProcess = async (): Promise<number> =>
  (await readDocument({ reader: 'pdf', bytes: new Uint8Array(pdf) })).places?.length ?? 0

if ((await byLibrary()) !== pages || (await inProcess()) !== pages) throw new Error('pages are missing')
head(`a PDF of ${pages} pages: our reader process, the library alone`)
const read = await sideBySide(inProcess, byLibrary)
row('milliseconds', read.ours.wall, read.bare.wall)
row('milliseconds of the processor', read.ours.processor, read.bare.processor)

const server = await startServer()
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: server.unpaced }] })
const text = linesOf(30_000, 'Rules').slice(0, 1_000_000)
const input = {
  ...{ question: 'May she leave the flat in March?', options: ['Yes', 'No'], moderator: null },
  ...{ protocol: 'roundtable', rounds: 1 },
  seats: Array.from({ length: seats }, (_, seat) => `lab/m${seat}`),
}
/** As many calls with the same text and nothing else: what the way to the server takes. */
const send = (): Promise<string> =>
  fetch(`${server.unpaced}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm1', messages: [{ role: 'user', content: text }] }),
  }).then(response => response.text())
const sendAll = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) await Promise.all(Array.from({ length: seats }, send))
}
const ask = (more: object) => async (): Promise<void> => {
  const { outcome } = await roundtable.ask({ ...input, ...more }).result
  if (outcome !== 'verdict') throw new Error(`a session ended with ${outcome}`)
}

console.log()
head(`a session of ${seats} seats, one open round: 1 MB of text, none`)
const sessions = await sideBySide(ask({ attachments: [{ name: 'rules.txt', text }] }), ask({}))
row('milliseconds without model time', sessions.ours.wall, sessions.bare.wall)
row('milliseconds of the processor', sessions.ours.processor, sessions.bare.processor)
row('milliseconds per call', sessions.ours.wall / (2 * seats), sessions.bare.wall / (2 * seats))

console.log()
head('the same session: 1 MB of text, a bare fetch loop with it')
const bare = await sideBySide(ask({ attachments: [{ name: 'rules.txt', text }] }), sendAll)
row('milliseconds without model time', bare.ours.wall, bare.bare.wall)
row('milliseconds of the processor', bare.ours.processor, bare.bare.processor)
server.stop()
