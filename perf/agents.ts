/**
 * What a `cli:` seat adds to the program that it runs: `npm run perf:agents`. The first piece of a reply is timed three
 * ways, in turn: through a seat, from the bare program with the same arguments, and over HTTP. What the seat takes beyond
 * the program's own time, and beyond what a call over HTTP takes, is its overhead.
 */

import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAICompatible } from '../src/models/chat.ts'
import type { ModelCall, Provider } from '../src/models/provider.ts'
import { makePrograms } from '../test/agents/programs.ts'
import { startLab } from '../test/lab/server.ts'

/** Milliseconds. */
const limit = 30
const times = 25

const call = (model: string): ModelCall => ({
  ...{ model, system: 'Be brief.', user: ['Does size matter?'], maxOutputTokens: 500 },
  shape: { name: 'answer', json: { type: 'object', properties: { headline: { type: 'string' } } } },
  signal: AbortSignal.timeout(60_000),
})

/** Milliseconds from the call to its first piece; the rest is read, so that runs don't overlap. */
const firstPiece = async (provider: Provider, model: string): Promise<number> => {
  const started = performance.now()
  let first: number | undefined
  for await (const part of provider.stream(call(model)))
    if (part.type === 'text') first ??= performance.now() - started
  return first ?? Number.POSITIVE_INFINITY
}

const programs = makePrograms(['claude'])
const seat = programs.provider('claude')
const arguments_ = ['-p', '--output-format', 'stream-json', '--tools', '', '--model', 'speaks']

/** The program alone: from its start to the first line with a piece of text. */
const bare = (): Promise<number> =>
  new Promise(resolve => {
    const started = performance.now()
    const child = spawn(join(programs.path, 'claude'), arguments_, { cwd: tmpdir(), env: programs.env })
    let output = ''
    let first: number | undefined
    child.stdout.on('data', piece => {
      output += piece
      if (first === undefined && /text_delta.*\n/.test(output)) first = performance.now() - started
    })
    child.stderr.resume()
    child.once('close', () => resolve(first ?? Number.POSITIVE_INFINITY))
    child.stdin.end('Does size matter?')
  })

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const lab = await startLab({ handler: () => '{"headline":"It does not."}' })
const http = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
const found = { seat: [] as number[], bare: [] as number[], http: [] as number[] }
// The first call also looks up the flags of the installed version.
const cold = await firstPiece(seat, 'speaks')
for (let round = 0; round < times; round++) {
  found.bare.push(await bare())
  found.seat.push(await firstPiece(seat, 'speaks'))
  found.http.push(await firstPiece(http, 'a'))
}
const [seated, alone, served] = [median(found.seat), median(found.bare), median(found.http)]
const beyond = seated - alone
console.log(`first piece, median of ${times}, in milliseconds`)
for (const [what, value] of [
  ['over HTTP', served],
  ['the program alone', alone],
  ['a seat', seated],
  ['a seat, first call', cold],
  ['a seat beyond the program', beyond],
] as const)
  console.log(`${what.padEnd(28)} ${value.toFixed(1).padStart(8)}`)
console.log(`limit ${limit}: ${beyond <= limit ? 'ok' : 'TOO SLOW'}`)
await lab.stop()
programs.remove()
