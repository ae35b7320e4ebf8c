/** How soon the own record should count: each source in turn is the archive of its own. */
import { shuffled } from '../../src/core/basics.ts'
import { type Shares, shareFor, sharesOf } from './signal.ts'
import { mean, type RecordedTableOutcome } from './tables.ts'

const priors = [5, 10, 20, 50, 100, 200] as const
const sizes = [10, 20, 50, 100] as const
/** The order of an archive is luck, so it is drawn several times. */
const orders = 20

/** The recorded share, moved by own tables of the same level as if it had been seen in so many tables. */
const blended = (
  recorded: Shares,
  own: readonly RecordedTableOutcome[],
  { level }: RecordedTableOutcome,
  prior: number,
): number => {
  const same = own.filter(table => table.level === level)
  const right = same.reduce((total, { last }) => total + last, 0)
  return (right + prior * shareFor(recorded, level)) / (same.length + prior)
}

const brier = (share: number, { last }: RecordedTableOutcome): number => (share - last) ** 2

/** Mean Brier score of what comes after the first tables. Undefined if too few come after. */
const scoreOf = (
  source: readonly RecordedTableOutcome[],
  recorded: Shares,
  size: number,
  prior: number,
): number | undefined => {
  if (source.length < size * 2) return undefined
  const scores = Array.from({ length: orders }, (_, order) => {
    const drawn = shuffled([...source], `own/${order}`)
    const own = drawn.slice(0, size)
    const shares = new Map(
      [...new Set(drawn.map(({ level }) => level))].map(level => [
        level,
        blended(recorded, own, { ...drawn[0]!, level }, prior),
      ]),
    )
    return mean(drawn.slice(size).map(table => brier(shares.get(table.level)!, table)))
  })
  return mean(scores)
}

export const ownRecordLines = (tables: readonly RecordedTableOutcome[]): string[] => {
  const sources = [...Map.groupBy(tables, ({ source }) => source)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const parts = [0, 1].map(half => sources.filter((_, index) => index % 2 === half))
  const meanScore = (part: typeof sources, size: number, prior: number): number =>
    mean(
      part.flatMap(([name, own]) => {
        const recorded = sharesOf(tables.filter(({ source }) => source !== name))
        return scoreOf(own, recorded, size, prior) ?? []
      }),
    )
  const row = (part: typeof sources, prior: number): string =>
    sizes.map(size => meanScore(part, size, prior).toFixed(4)).join('  ')
  const names = (part: typeof sources): string => part.map(([name]) => name).join(', ')
  return [
    `Own record: mean Brier over sources after ${sizes.join(', ')} own tables`,
    ...['Choosing', 'Scoring'].flatMap((what, index) => [
      `${what} on ${names(parts[index]!)}`,
      `  recorded only  ${row(parts[index]!, 1e9)}`,
      ...priors.map(prior => `  m = ${String(prior).padEnd(10)} ${row(parts[index]!, prior)}`),
    ]),
  ]
}
