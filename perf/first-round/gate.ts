/** What open rounds gain for each sealed split, and what each gate saves and loses. */
import { sealedSplits } from '../../src/count/splits.ts'
import { expect } from '../../src/protocols/hybrid.ts'
import {
  mean,
  overSessions,
  overSets,
  percent,
  pointsText,
  type RecordedTableOutcome,
  sum,
} from './tables.ts'

interface Gate {
  readonly name: string
  stops(table: RecordedTableOutcome): boolean
}

const from = (share: number) => (table: RecordedTableOutcome) => table.support >= share - 1e-9

const gates: readonly Gate[] = [
  { name: 'talk always', stops: () => false },
  { name: 'unless 80% agree', stops: from(0.8) },
  { name: 'unless 2/3 agree', stops: from(2 / 3) },
  { name: 'unless more than half agree', stops: table => table.support > 0.5 + 1e-9 },
  { name: 'only if no answer leads', stops: table => table.support > 0 },
  { name: 'never', stops: () => true },
]

/** Tokens of the open rounds, by the estimate of hybrid for answers and questions of usual length. */
const openTokens = ({ seats, openRounds }: RecordedTableOutcome): number => {
  const load = { seats, question: 500, answer: 400, open: false }
  const [all, none] = [openRounds, 0].map(rounds => expect({ ...load, rounds }))
  return all!.inputTokens + all!.outputTokens - none!.inputTokens - none!.outputTokens
}

const sealedTokens = ({ seats }: RecordedTableOutcome): number => {
  const { inputTokens, outputTokens } = expect({ seats, rounds: 0, question: 500, answer: 400, open: false })
  return inputTokens + outputTokens
}

const talkGain = ({ sealed, last }: RecordedTableOutcome): number => last - sealed

const levelLine = (tables: readonly RecordedTableOutcome[], level: string): string => {
  const sources = [...Map.groupBy(tables, ({ source }) => source)].filter(([, own]) => own.length >= 20)
  const certain = sources.flatMap(([source, own]) => {
    const gain = overSessions(own, talkGain)
    return gain.low > 0 || gain.high < 0 ? [`${source} ${pointsText(gain)}`] : []
  })
  return `  ${level}: ${tables.length} tables, gain of open rounds ${pointsText(overSets(tables, talkGain))}; certain in: ${certain.join(', ') || 'none'}`
}

const gateLine = (tables: readonly RecordedTableOutcome[], { name, stops }: Gate): string => {
  const against = (table: RecordedTableOutcome): number => (stops(table) ? table.sealed - table.last : 0)
  const losing = [...Map.groupBy(tables, ({ source }) => source)]
    .filter(([, own]) => own.length >= 20)
    .map(([source, own]) => [source, overSessions(own, against)] as const)
  const lost = losing.filter(([, { high }]) => high < -1e-12)
  const worst = losing.reduce((one, other) => (other[1].mean < one[1].mean ? other : one))
  const stopped = tables.filter(stops)
  const all = sum(tables.map(table => openTokens(table) + sealedTokens(table)))
  return `  ${name}: ${percent(stopped.length / tables.length)} stop, ${percent(sum(stopped.map(openTokens)) / all)} of all tokens saved, accuracy ${percent(mean(tables.map(table => (stops(table) ? table.sealed : table.last))))}, against talking always ${pointsText(overSets(tables, against))}; certain loss in: ${lost.map(([source, loss]) => `${source} ${pointsText(loss)}`).join(', ') || 'none'}; worst: ${worst[0]} ${pointsText(worst[1])}`
}

export const gateLines = (tables: readonly RecordedTableOutcome[]): string[] => [
  'What open rounds gain, by sealed split',
  ...sealedSplits.map(level =>
    levelLine(
      tables.filter(table => table.level === level),
      level,
    ),
  ),
  'Gates',
  ...gates.map(gate => gateLine(tables, gate)),
]
