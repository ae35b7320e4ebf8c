import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../main/program.ts'

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

test('[B29] bench replay --html also writes the page', async () => {
  const { err } = await roundtable('bench', 'replay', 'votes.csv', '--labels', '20', '--html', 'page.html')
  expect(err).toBe('Written to page.html\n')
  expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/)
})

const write = (name: string, ...rows: string[]): void => writeFileSync(join(folder, name), rows.join('\r\n'))

describe('bench replay of debates', () => {
  const head = 'id,gold,lab/one@0,lab/two@0,other@0,lab/one@1,lab/two@1,other@1'
  beforeEach(() => {
    write('first_set.csv', head, '1,A,A,A,B,A,A,A', '2,A,B,B,A,B,B,B', '3,"A, B","A, B",C,,"A, B",,C')
    write('second_set.csv', head, '1,A,B,B,B,A,A,B')
  })

  test('[B70] --json has every set with its rules, and what is pooled', async () => {
    const { code, out } = await roundtable('bench', 'replay', 'first_set.csv', 'second_set.csv', '--json')
    expect(code).toBe(0)
    const found = JSON.parse(out)
    expect(found.sets[0]).toMatchObject({
      name: 'first_set',
      sessions: 3,
      seats: 3,
      rounds: 2,
      byRound: [0.5, 0.5],
      flips: { better: 1, worse: 1, other: 0 },
    })
    expect(found.sets[1]).toMatchObject({ name: 'second_set', byRound: [0, 1] })
    expect(found.pooled).toMatchObject({ sets: 2, sessions: 4, last: 0.625 })
    for (const { rules } of [...found.sets, found.pooled]) {
      expect(rules[0]).toMatchObject({ name: 'last', againstLast: { mean: 0, low: 0, high: 0 } })
      for (const rule of rules) {
        const { mean, low, high } = rule.againstLast
        expect([rule.accuracy, mean, low, high].every(Number.isFinite)).toBe(true)
      }
    }
  })

  test('[B70] the table fits 80 columns and says what was learnt and chosen where', async () => {
    const { code, out } = await roundtable('bench', 'replay', 'first_set.csv', 'second_set.csv')
    expect(code).toBe(0)
    expect(out).toMatch(/first_set +3 +3 +50\.0 50\.0 +1 : 1 : 0/)
    expect(out.replace(/\s+/g, ' ')).toMatch(/learn on one half of a set and are scored on the other/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
  })

  test('[B70] --html writes the page; --seats keeps some seats', async () => {
    const words = ['bench', 'replay', 'first_set.csv', '--seats', 'one,two', '--html', 'page.html']
    const { out, err } = await roundtable(...words)
    expect(err).toBe('Written to page.html\n')
    expect(out).toMatch(/first_set +3 +2 /)
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('Recorded debates')
  })

  test('[B70] files of one name in two folders keep their folders', async () => {
    mkdirSync(join(folder, 'more'))
    write('more/first_set.csv', head, '1,A,A,A,B,A,A,A')
    const { out } = await roundtable('bench', 'replay', 'first_set.csv', 'more/first_set.csv', '--json')
    expect(JSON.parse(out).sets.map(({ name }: { name: string }) => name)).toEqual([
      'first_set.csv',
      'more/first_set.csv',
    ])
    expect(JSON.parse(out).sources).toHaveLength(1)
  })

  test('[B73] if nobody answered, no sealed vote is shown that was divided', async () => {
    write('nobody.csv', head, '1,A,,,,,,')
    const { code, out } = await roundtable('bench', 'replay', 'nobody.csv', '--html', 'nobody.html')
    expect(code).toBe(0)
    expect(out).toMatch(/nobody +1 +3 +0\.0 0\.0 +0 : 0 : 0/)
    expect(out).not.toContain('Sealed vote')
    expect(readFileSync(join(folder, 'nobody.html'), 'utf8')).not.toContain('Sealed vote')
  })

  test.each([
    [['votes.csv', 'first_set.csv'], /votes\.csv: its columns name no rounds/],
    [['first_set.csv', '--labels', '20'], /--labels is for files of votes/],
    [['first_set.csv', '--seats', 'three'], /--seats in first_set\.csv: No model is called "three"/],
  ])('[B70] bench replay %j is one plain line, and exit code 2', async (words, message) => {
    const { code, out, err } = await roundtable('bench', 'replay', ...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
  })
})

test.each([
  [['replay', 'nothing.csv'], /nothing\.csv: it can't be read/],
  [
    ['replay', 'votes.csv', '--seats', 'lab'],
    /--seats: "lab" could be lab\/first-long-model-name or lab\/second/,
  ],
  [['replay', 'votes.csv', '--labels', 'many'], /--labels many: give a number of at least 0/],
  [['replay', 'votes.csv', '--labels', '1.5'], /--labels 1\.5: give a whole number/],
])('[B29] bench %j is one plain line, and exit code 2', async (words, message) => {
  const { code, out, err } = await roundtable('bench', ...words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
})
