/** The same bench in both forms: is a table right more often if its seats reason before they answer? */
import { meanOf } from '../bootstrap.ts'
import { type PairedDifference, pairedDifference } from '../paired.ts'
import type { LiveFigures, MeasuredItem } from './measure.ts'

export interface FormComparison extends PairedDifference {
  readonly method: string
  readonly questions: number
  /** Shares of questions that were right. */
  readonly reasoningFirst: number
  readonly answerFirst: number
}

/** Differences are reasoning first minus answer first, over the questions that both forms have scored. */
export const compareForms = (
  reasoning: LiveFigures,
  answer: LiveFigures,
  seed: string,
): readonly FormComparison[] => {
  const others = new Map(answer.items.map(item => [item.id, item]))
  const pairs = reasoning.items.flatMap(item => {
    const other = others.get(item.id)
    return other ? [[item, other] as const] : []
  })
  const compared = (method: string, credit: (item: MeasuredItem) => number): FormComparison => {
    const mine = Float64Array.from(pairs, ([item]) => credit(item))
    const theirs = Float64Array.from(pairs, ([, item]) => credit(item))
    return {
      method,
      questions: pairs.length,
      reasoningFirst: meanOf(mine),
      answerFirst: meanOf(theirs),
      ...pairedDifference(mine, theirs, seed),
    }
  }
  if (pairs.length === 0) return []
  return [
    compared('Each seat, sealed', item => item.seatsRight),
    ...reasoning.ways
      .filter(way => way.samples === undefined)
      .map(way => compared(way.label, item => item.credits[way.name] ?? 0)),
  ]
}
