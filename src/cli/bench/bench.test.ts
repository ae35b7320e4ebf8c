import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { run } from '../program.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const rows = Array.from({ length: 60 }, (_, id) => {
    const gold = 'AB'[id % 2]!
    return `q${id},${gold},${gold},${id % 5 === 0 ? 'C' : gold},${id % 3 === 0 ? '' : 'A'}`
  })
  writeFileSync(
    join(folder, 'votes.csv'),
    ['id,gold,lab/first-long-model-name,lab/second,other/third', ...rows].join('\n'),
  )
})

const roundtable = async (...words: string[]) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const surroundings = { env: {}, cwd: folder, clock: () => 0, onInterrupt: () => () => {}, quit() {} }
  const code = await run(words, { ...streams, ...surroundings })
  return { code, out: String(streams.stdout.read() ?? ''), err: String(streams.stderr.read() ?? '') }
}

test('[B29] bench replay prints a table that fits 80 columns', async () => {
  const { code, out } = await roundtable('bench', 'replay', 'votes.csv', '--labels', '20')
  expect(code).toBe(0)
  expect(out).toMatch(/60 questions, 3 seats/)
  expect(out).toMatch(/Portfolio +\d/)
  for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
})

test('[B29] bench replay --json is one document in the promised form', async () => {
  const { out } = await roundtable(
    'bench',
    'replay',
    'votes.csv',
    '--seats',
    'first,second',
    '--json',
    '--seed',
    '7',
  )
  const found = JSON.parse(out)
  expect(found).toMatchObject({
    questions: 60,
    seats: ['lab/first-long-model-name', 'lab/second'],
    seed: '7',
  })
  const [from, to] = [expect.any(Number), expect.any(Number)]
  for (const rule of found.rules) {
    expect(rule).toMatchObject({
      name: expect.any(String),
      accuracy: expect.any(Number),
      interval: [from, to],
      against: { majority: { difference: expect.any(Number), interval: [from, to] } },
    })
  }
})

test('[B29] bench simulate prints each claim with its figure, and writes the page', async () => {
  const { out, err } = await roundtable('bench', 'simulate', '--questions', '100', '--html', 'page.html')
  expect(out).toMatch(/[✓✗] Neutral debate is a martingale/)
  expect(err).toBe('Written to page.html\n')
  expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/)
  for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
})

test.each([
  [['replay', 'nothing.csv'], /nothing\.csv cannot be read/],
  [['replay', 'votes.csv', '--seats', 'lab'], /"lab" could be lab\/first-long-model-name or lab\/second/],
  [['replay', 'votes.csv', '--labels', 'many'], /--labels many: give a number of at least 0/],
  [['replay', 'votes.csv', '--labels', '1.5'], /--labels 1\.5: give a whole number/],
  [['simulate', '--seats', 'first'], /--seats needs --votes/],
])('[B29] bench %j is one plain line, and exit code 2', async (words, message) => {
  const { code, out, err } = await roundtable('bench', ...words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
})
