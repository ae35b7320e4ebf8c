/** Which questions rules may learn from, and which are left to score them. */
import { shuffled } from '../core/random.ts'

/** The result of one small set of labels is luck, so it is repeated with others. */
export const draws = 20

export interface Split {
  readonly labels: readonly number[]
  readonly isLabel: Uint8Array
}

/** In a small file, at least half of the questions stay to be scored. */
export const labelsFor = (asked: number, questions: number): number =>
  Math.max(0, Math.min(asked, Math.floor(questions / 2)))

/**
 * Windows on one shuffled circle of questions: each question is a label about equally often, and is decided at
 * least once, because two neighbouring windows never share one.
 */
export const splitsOf = (questions: number, labels: number, seed: string): Split[] => {
  const order = shuffled([...Array(questions).keys()], `${seed}/labels`)
  return Array.from({ length: labels === 0 ? 1 : draws }, (_, draw) => {
    const window = Array.from({ length: labels }, (_, place) => order[(draw * labels + place) % questions]!)
    const isLabel = new Uint8Array(questions)
    for (const question of window) isLabel[question] = 1
    return { labels: window, isLabel }
  })
}
