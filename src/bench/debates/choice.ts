/** Which rule the criterion of decision 28 chooses, and what such a choice is worth on sources that it hasn't seen. */
import type { Against, PoolFigures, RuleFigures, SourceFigures } from './figures.ts'

export interface Excluded {
  readonly rule: string
  readonly reason: string
}

export interface Choice {
  readonly rule: string
  /** The best of the rules that are left. If its gain isn't certain, `last` is chosen. */
  readonly best: string
  readonly excluded: readonly Excluded[]
}

/** A choice on all sources but one, and how it does on that one. */
export interface HeldOut {
  readonly source: string
  readonly rule: string
  readonly againstLast: Against
}

const named = (rules: readonly RuleFigures[], name: string): RuleFigures =>
  rules.find(rule => rule.name === name)!

const reasonAgainst = (
  { name, tiesMade }: RuleFigures,
  sources: readonly SourceFigures[],
): string | undefined => {
  const losing = sources.filter(({ rules }) => named(rules, name).againstLast.high < 0)
  if (losing.length > 0) return `loses in ${losing.map(source => source.name).join(', ')}`
  return tiesMade > 0 ? `turns ${tiesMade} decided verdicts into ties` : undefined
}

export const choiceOf = (sources: readonly SourceFigures[], pooled: PoolFigures): Choice => {
  const excluded: Excluded[] = []
  let best = named(pooled.rules, 'last')
  for (const rule of pooled.rules) {
    const reason = reasonAgainst(rule, sources)
    if (reason !== undefined) excluded.push({ rule: rule.name, reason })
    else if (rule.againstLast.mean > best.againstLast.mean) best = rule
  }
  return { best: best.name, rule: best.againstLast.low > 0 ? best.name : 'last', excluded }
}

/** `pooledWithout` gives the figures of all sets but those of one source. */
export const heldOutChoices = (
  sources: readonly SourceFigures[],
  pooledWithout: (source: string) => PoolFigures,
): HeldOut[] =>
  sources.map(({ name, rules }) => {
    const others = sources.filter(source => source.name !== name)
    const { rule } = choiceOf(others, pooledWithout(name))
    return { source: name, rule, againstLast: named(rules, rule).againstLast }
  })
