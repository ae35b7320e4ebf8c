/** The same bench in two ways: reasoning or answer first, with letters or without. */
import { meanOf } from '../bootstrap.ts'
import { type PairedDifference, pairedDifference } from '../paired.ts'
import type { LiveFigures, MeasuredItem } from './measure.ts'

/** Two runs over the same questions, method by method: the difference is first minus second. */
export interface RunComparison extends PairedDifference {
  readonly method: string
  readonly questions: number
  /** Shares of questions that were right. */
  readonly first: number
  readonly second: number
}

export interface FormComparison extends PairedDifference {
  readonly method: string
  readonly questions: number
  /** Shares of questions that were right. */
  readonly reasoningFirst: number
  readonly answerFirst: number
}

/** Over the questions that both runs have scored. */
export const compareRuns = (
  first: LiveFigures,
  second: LiveFigures,
  seed: string,
): readonly RunComparison[] => {
  const others = new Map(second.items.map(item => [item.id, item]))
  const pairs = first.items.flatMap(item => {
    const other = others.get(item.id)
    return other ? [[item, other] as const] : []
  })
  const compared = (method: string, credit: (item: MeasuredItem) => number): RunComparison => {
    const mine = Float64Array.from(pairs, ([item]) => credit(item))
    const theirs = Float64Array.from(pairs, ([, item]) => credit(item))
    return {
      method,
      questions: pairs.length,
      first: meanOf(mine),
      second: meanOf(theirs),
      ...pairedDifference(mine, theirs, seed),
    }
  }
  if (pairs.length === 0) return []
  return [
    compared('Each seat, sealed', item => item.seatsRight),
    ...first.ways
      .filter(way => way.samples === undefined)
      .map(way => compared(way.label, item => item.credits[way.name] ?? 0)),
  ]
}

/** Differences are reasoning first minus answer first. */
export const compareForms = (
  reasoning: LiveFigures,
  answer: LiveFigures,
  seed: string,
): readonly FormComparison[] =>
  compareRuns(reasoning, answer, seed).map(({ first, second, method, questions, ...paired }) => ({
    method,
    questions,
    reasoningFirst: first,
    answerFirst: second,
    ...paired,
  }))
