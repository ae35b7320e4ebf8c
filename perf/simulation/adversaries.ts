/** How many adversaries a table survives. */
import { meanOf } from '../../src/bench/replay.ts'
import { dawidSkene, portfolio } from '../../src/bench/rules.ts'
import { randomFor } from '../../src/core/basics.ts'
import { logOdds, majority } from '../../src/core/rules.ts'
import { type Bench, type Check, type CheckResult, percent } from './check.ts'
import { play } from './openness.ts'
import { learningFrom, results } from './optima.ts'
import { questionsFrom, realistic, type SimulatedSeat, type SimulatedTable } from './simulated-table.ts'

const counts = [0, 1, 2, 3, 4] as const

/** Below this accuracy a table counts as lost. */
const floor = 0.75

const tableWith = (adversaries: number, traits: Partial<SimulatedSeat> = {}): SimulatedTable => {
  const honest = realistic(traits)
  const bought = (place: number): boolean => place >= honest.seats.length - adversaries
  return {
    ...honest,
    seats: honest.seats.map((seat, place) => (bought(place) ? { accuracy: 0, adversarial: true } : seat)),
  }
}

interface Line {
  readonly label: string
  readonly points: readonly (readonly [number, number])[]
}

const lineFor = (label: string, accuracy: (adversaries: number) => number): Line => ({
  label,
  points: counts.map(count => [count, accuracy(count) * 100]),
})

const votesOnly = ({ questions, seed }: Bench): Line[] => {
  const figures = counts.map(count => {
    const table = tableWith(count)
    const random = randomFor(`${seed}/adversaries`)
    const labelled = learningFrom(table, questionsFrom(table, 200, random))
    const asked = questionsFrom(table, questions, random)
    const agreed = dawidSkene(learningFrom(table, asked))
    const rules = [majority(), logOdds(labelled), portfolio(labelled), agreed]
    return rules.map(rule => meanOf(results(rule, table, asked)))
  })
  const labels = ['sealed majority', 'log-odds, 200 labels', 'portfolio, 200 labels', 'Dawid–Skene']
  return labels.map((label, rule) => lineFor(label, count => figures[count]![rule]!))
}

const openRounds = ({ questions, seed }: Bench): Line[] => {
  const traits = { persuadability: 0.5, conformity: 0.3 }
  const outcomes = counts.map(count =>
    play(tableWith(count, traits), { rounds: 2, tilt: 1 }, { questions, seed: `${seed}/open` }),
  )
  return [lineFor('after two open rounds', count => meanOf(outcomes[count]!.final))]
}

/** The largest number up to which the table stays above the floor. */
const survived = ({ points }: Line): number => {
  const lost = points.findIndex(([, accuracy]) => accuracy < floor * 100)
  return lost < 0 ? counts.at(-1)! : lost - 1
}

export const adversaries = (bench: Bench): CheckResult => {
  const lines = [...votesOnly(bench), ...openRounds(bench)]
  const [plain, weighed, spread, agreed, open] = lines.map(survived)
  const accuracyAt = (line: number, count: number): string => percent(lines[line]!.points[count]![1] / 100)
  const checks: Check[] = [
    {
      id: 'adversaries-sealed',
      claim: 'A sealed majority of six survives adversaries that always give the popular wrong answer.',
      expected: 'at least one stays above 75 %',
      figure: `${plain} survived; with one ${accuracyAt(0, 1)}, with two ${accuracyAt(0, 2)}`,
      value: plain!,
      holds: plain! >= 1,
    },
    {
      id: 'adversaries-labels',
      claim: 'With labels the table survives more adversaries than the plain vote.',
      expected: 'log-odds and portfolio survive more than the majority does',
      figure: `log-odds ${weighed}, portfolio ${spread}, Dawid–Skene without labels ${agreed}`,
      value: weighed!,
      holds: weighed! > plain! && spread! > plain!,
    },
    {
      id: 'adversaries-open',
      claim: 'Open rounds survive fewer adversaries than the sealed vote.',
      expected: 'not more than the sealed vote',
      figure: `${open} survived; with one ${accuracyAt(4, 1)}`,
      value: open!,
      holds: open! <= plain!,
    },
  ]
  return {
    checks,
    series: [
      {
        id: 'adversaries',
        title: 'Accuracy of six seats, by how many of them are adversaries',
        across: 'adversaries among six seats',
        up: 'accuracy, %',
        lines,
      },
    ],
  }
}
