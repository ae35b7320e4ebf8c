/** Small debates for tests. */
import { recordedTable } from '../recorded-table.ts'
import { type DebateSet, debatesFrom, type RoundAnswers } from './debates.ts'

export const debatesIn = (name: string, file: string): DebateSet => debatesFrom(name, recordedTable(file))

/** "AB-": the first two seats said A and B, the third nothing. */
export const roundsFrom = (...rounds: string[]): RoundAnswers[] =>
  rounds.map(answers => [...answers].map(answer => (answer === '-' ? null : answer)))

/** A set of three seats; each row is the right answer and the rounds: "A AAB ABB". */
export const setOf = (name: string, ...rows: string[]): DebateSet => {
  const debates = rows.map((row, id) => {
    const [gold = '', ...rounds] = row.split(' ')
    return { id: String(id), gold, rounds: roundsFrom(...rounds) }
  })
  const seats = debates[0]!.rounds[0]!.map((_, seat) => `seat${seat}`)
  return { name, source: name.split('_')[0]!, seats, rounds: debates[0]!.rounds.length, debates }
}
