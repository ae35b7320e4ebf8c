import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { meanOf, recordingFrom } from '../../src/bench/replay.ts'
import { randomFor } from '../../src/core/basics.ts'
import { noPaint } from '../../src/terminal/terminal.ts'
import { debated } from './debate.ts'
import { sealedRoundOf, simulate } from './index.ts'
import { simulationLines } from './lines.ts'
import { play } from './openness.ts'
import { questionFrom, questionsFrom, realistic, type SimulatedTable } from './simulated-table.ts'

const small = { questions: 1500, seed: 'test' }
const found = simulate(small)

test.each(found.checks.map(check => [check.id, check] as const))('[B25] %s holds', (_, check) => {
  expect(check.figure).not.toMatch(/NaN|undefined|Infinity/)
  expect(check.holds, `${check.claim} Found: ${check.figure}`).toBe(true)
})

test('[B25] every claim is checked once', () => {
  const ids = found.checks.map(check => check.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ['martingale', 'flip-ratio', 'gate', 'herding', 'adversaries-sealed'])
    expect(ids).toContain(id)
})

describe('simulated seats', () => {
  const table: SimulatedTable = {
    ...realistic(),
    seats: [{ accuracy: 0.9 }, { accuracy: 0.5 }],
    sharedLuck: 0.5,
  }

  test('[B26] are as accurate as told, whatever they have in common', () => {
    const questions = questionsFrom(table, 6000, randomFor('a'))
    const share = (place: number) =>
      questions.filter(({ votes, gold }) => votes[place]!.value === gold).length / questions.length
    expect(share(0)).toBeCloseTo(0.9, 1)
    expect(share(1)).toBeCloseTo(0.5, 1)
  })

  test('[B26] do not move without a reason to, and adversaries never do', () => {
    const still = realistic({ persuadability: 0, conformity: 0 })
    expect(play(still, { rounds: 3, tilt: 1 }, small).toRight).toBe(0)
    const bought: SimulatedTable = {
      ...still,
      seats: still.seats.map(() => ({ accuracy: 0, adversarial: true })),
    }
    const question = questionFrom(bought, randomFor('b'))
    expect(question.votes.every(vote => vote.value === question.trap)).toBe(true)
  })

  test('[B27] conformist moves cite nothing and ring the alarm; argued ones do not', () => {
    const question = {
      gold: 'A',
      trap: 'B',
      votes: ['A', 'B', 'B', 'B'].map((value, place) => ({ seat: `${place}`, value })),
    }
    const moved = (traits: { persuadability?: number; conformity?: number }) => {
      const seats = question.votes.map((_, place) => ({ accuracy: 0.5, ...(place === 0 && traits) }))
      return debated({
        table: { ...realistic(), seats },
        question,
        debate: { rounds: 1, tilt: 1 },
        random: randomFor('c'),
      })
    }
    expect(moved({ conformity: 1 })).toMatchObject({
      herding: true,
      flips: [{ from: 'A', to: 'B', cited: false }],
    })
    expect(moved({ persuadability: 1 })).toMatchObject({ herding: false, flips: [{ cited: true }] })
  })

  test('[B27] a gate leaves settled questions alone', () => {
    const outcome = play(realistic({ persuadability: 1 }), { rounds: 2, tilt: 0.2, gate: 0 }, small)
    expect([outcome.opened, outcome.toWrong]).toEqual([0, 0])
    expect(meanOf(outcome.final)).toBe(meanOf(outcome.sealed))
  })
})

test('[B28] recorded votes can be the sealed round, as far as every seat answered', () => {
  const sealed = sealedRoundOf(recordingFrom('id,gold,a,b,c\n1,A,A,A,B\n2,B,A,,B'))
  expect(sealed).toHaveLength(1)
  const outcome = play(realistic(), { rounds: 0, tilt: 1 }, { questions: 10, seed: 'x', sealed })
  expect(meanOf(outcome.sealed)).toBe(1)
})

test('[B20] the same seed simulates the same', () => {
  const again = simulate({ questions: 200, seed: 'x' })
  expect(JSON.stringify(simulate({ questions: 200, seed: 'x' }))).toBe(JSON.stringify(again))
})

test('[B29] each claim is printed with its figure, within 80 columns', () => {
  const lines = simulationLines(found, { columns: 80, paint: noPaint })
  expect(lines.join('\n')).toMatch(/[✓✗] Neutral debate is a martingale/)
  expect(lines.at(-1)).toBe(` ${found.checks.length} claims hold`)
  for (const line of lines) expect(line.length).toBeLessThan(80)
})

const simulateScript = (...words: string[]) => {
  const script = new URL('../simulate.ts', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('[B29] the simulate script prints one JSON document', () => {
  const { stdout } = simulateScript('--questions', '100', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ questions: 100, seed: '1', recorded: [] })
})

test('[B29] a mistake in its options is one plain line, and exit code 2', () => {
  const stderr = '--seats needs --votes, the file with the recorded votes.\n'
  expect(simulateScript('--seats', 'first')).toEqual({ status: 2, stdout: '', stderr })
})
