/** Whether the sealed split of other sources says how often a source's tables are right. */
import { type SealedSplit, sealedSplits } from '../../src/count/splits.ts'
import { mean, overSets, percent, type RecordedTableOutcome } from './tables.ts'

/** A source with fewer such tables says little about how far sources differ. */
const fewest = 20

export type Shares = ReadonlyMap<SealedSplit | undefined, number>

/** How often tables of each level were right; under undefined, how often all were. */
export const sharesOf = (tables: readonly RecordedTableOutcome[]): Shares => {
  const byLevel = Map.groupBy(tables, ({ level }) => level)
  const shares = [...byLevel].map(([level, own]) => [level, mean(own.map(({ last }) => last))] as const)
  return new Map([...shares, [undefined, mean(tables.map(({ last }) => last))]])
}

export const shareFor = (shares: Shares, level: SealedSplit | undefined): number =>
  shares.get(level) ?? shares.get(undefined)!

interface Predicted extends RecordedTableOutcome {
  readonly bySplit: number
  readonly byBase: number
}

/** Each part is predicted by all the others. */
const predicted = (
  tables: readonly RecordedTableOutcome[],
  partOf: (table: RecordedTableOutcome) => string | number,
): Predicted[] => {
  const parts = new Set(tables.map(partOf))
  const fitted = new Map(
    [...parts].map(part => [part, sharesOf(tables.filter(table => partOf(table) !== part))]),
  )
  return tables.map(table => {
    const shares = fitted.get(partOf(table))!
    return { ...table, bySplit: shareFor(shares, table.level), byBase: shareFor(shares, undefined) }
  })
}

const brier = (share: number, { last }: RecordedTableOutcome): number => (share - last) ** 2

const brierLine = (name: string, tables: readonly Predicted[]): string => {
  const one = mean(tables.map(table => brier(table.bySplit, table)))
  const other = mean(tables.map(table => brier(table.byBase, table)))
  const gain = overSets(
    tables as readonly RecordedTableOutcome[],
    table => brier((table as Predicted).bySplit, table) - brier((table as Predicted).byBase, table),
  )
  const range = [gain.mean, gain.low, gain.high].map(value => value.toFixed(4))
  return `${name}: Brier ${one.toFixed(4)} by split, ${other.toFixed(4)} by one figure for all, difference ${range[0]} (${range[1]} to ${range[2]})`
}

const levelLine = (level: SealedSplit, tables: readonly Predicted[]): string => {
  const own = tables.filter(table => table.level === level)
  const said = mean(own.map(({ bySplit }) => bySplit))
  return `  ${level}: ${own.length} tables, predicted ${percent(said)}, observed ${percent(mean(own.map(({ last }) => last)))}`
}

/** How often a source lies within the extremes of the others. */
const coverage = (tables: readonly RecordedTableOutcome[]): { inside: number; of: number } => {
  let [inside, of] = [0, 0]
  for (const level of sealedSplits) {
    const bySource = Map.groupBy(
      tables.filter(table => table.level === level),
      ({ source }) => source,
    )
    const shares = [...bySource.values()]
      .filter(own => own.length >= fewest)
      .map(own => mean(own.map(({ last }) => last)))
    if (shares.length < 3) continue
    for (const [place, share] of shares.entries()) {
      const others = shares.filter((_, index) => index !== place)
      of++
      if (share >= Math.min(...others) && share <= Math.max(...others)) inside++
    }
  }
  return { inside, of }
}

export const signalLines = (tables: readonly RecordedTableOutcome[]): string[] => {
  const sets = [...new Set(tables.map(({ set }) => set))]
  const bySource = predicted(tables, ({ source }) => source)
  const byHalf = predicted(tables, ({ set }) => sets.indexOf(set) % 2)
  const { inside, of } = coverage(tables)
  return [
    'How often such tables were right',
    brierLine('One source left out', bySource),
    ...sealedSplits.map(level => levelLine(level, bySource)),
    brierLine('Every second set left out', byHalf),
    ...sealedSplits.map(level => levelLine(level, byHalf)),
    `Within the extremes of the other sources: ${inside} of ${of} sources and levels (expected for one more draw: ${percent(expectedInside(tables))})`,
  ]
}

/** Of n exchangeable figures, n − 2 lie within the extremes of the others. */
const expectedInside = (tables: readonly RecordedTableOutcome[]): number => {
  const counts = sealedSplits.map(
    level =>
      [
        ...Map.groupBy(
          tables.filter(table => table.level === level),
          ({ source }) => source,
        ).values(),
      ].filter(own => own.length >= fewest).length,
  )
  const enough = counts.filter(count => count >= 3)
  return (
    enough.reduce((total, count) => total + count - 2, 0) / enough.reduce((total, count) => total + count, 0)
  )
}
