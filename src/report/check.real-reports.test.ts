import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fold } from '../core/fold.ts'
import { proseProblems, unprovenSpeakers } from './check.ts'

const folder = join(import.meta.dirname, '../../../shared/data/real-sessions')

const sessionOf = (number: number) =>
  fold(JSON.parse(readFileSync(join(folder, `session-${number}.json`), 'utf8')).events)

const proseOf = (number: number): string => Object.values(sessionOf(number).report ?? {}).join('\n')

/** A figure, a cause, a state and a quotation that aren't in the session. */
const slips: readonly (readonly [number, string, string])[] = [
  [2, '8,000 at 2.5 tunings', '9,000 at 2.5 tunings'],
  [6, '0.35 to 0.6', '0.36 to 0.6'],
  [5, 'Python 0.66', 'Python 0.68'],
  [1, 'moved amber and coral', 'moved birch'],
  [1, 'a rule about timing, not about ownership', 'a rule about ownership, not about timing'],
  [4, 'Both changed their minds', 'fir and yew changed their minds'],
]

describe.skipIf(!existsSync(folder))('reports of real sessions (skipped where they are absent)', () => {
  it.each([1, 2, 3, 4, 5, 6])('[E17] [E18] [E19] report %i stands', number => {
    expect(proseProblems(sessionOf(number), proseOf(number))).toEqual([])
  })

  it.each(slips)('[E17] [E18] [E19] report %i with %j turned into %j is turned down', (number, was, is) => {
    const prose = proseOf(number)
    expect(prose).toContain(was)
    expect(proseProblems(sessionOf(number), prose.replace(was, is))).not.toEqual([])
  })

  it('[E18] a seat that was credited without a word of its own is found', () => {
    const oak = sessionOf(5).seats.find(({ name }) => name === 'oak')
    expect(unprovenSpeakers(sessionOf(5), proseOf(5), [])).toContainEqual(
      expect.stringContaining(`attributes a point to Seat ${oak?.alias},`),
    )
  })
})
