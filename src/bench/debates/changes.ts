/** Changes of mind in a debate, and what they did to the vote. */
import type { Debate } from './debates.ts'
import type { VoteOutcome } from './vote.ts'

/** Wrong to right, right to wrong, and one wrong answer to another. */
export interface Directions {
  readonly better: number
  readonly worse: number
  readonly other: number
}

export interface Change {
  readonly from: string
  readonly to: string
}

/** A change is compared with the seat's last readable answer: a round without one isn't a change of mind. */
export const changesIn = (rounds: Debate['rounds']): Change[] => {
  const changes: Change[] = []
  const before: (string | null)[] = []
  for (const answers of rounds) {
    for (const [seat, answer] of answers.entries()) {
      if (answer === null) continue
      const last = before[seat] ?? null
      if (last !== null && last !== answer) changes.push({ from: last, to: answer })
      before[seat] = answer
    }
  }
  return changes
}

export const directionsOf = (changes: readonly (Change & { readonly gold: string })[]): Directions => {
  const better = changes.filter(({ to, gold }) => to === gold).length
  const worse = changes.filter(({ from, gold }) => from === gold).length
  return { better, worse, other: changes.length - better - worse }
}

export const addedUp = (all: readonly Directions[]): Directions => {
  const sum = (of: keyof Directions): number => all.reduce((before, one) => before + one[of], 0)
  return { better: sum('better'), worse: sum('worse'), other: sum('other') }
}

export const flipsIn = (debates: readonly Debate[]): Directions =>
  directionsOf(debates.flatMap(({ gold, rounds }) => changesIn(rounds).map(change => ({ ...change, gold }))))

/** What led in the sealed vote and in the last one. */
export interface Leaders {
  readonly sealed: VoteOutcome
  readonly last: VoteOutcome
  readonly gold: string
}

/** Debates in which one answer led the sealed vote, and another one the last vote. */
export const overturned = (debates: readonly Leaders[]): Directions =>
  directionsOf(
    debates.flatMap(({ sealed: [from, ...tied], last: [to, ...tiedLast], gold }) => {
      const decided = from !== undefined && to !== undefined && tied.length + tiedLast.length === 0
      return decided && from !== to ? [{ from, to, gold }] : []
    }),
  )
