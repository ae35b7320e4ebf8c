/** McNemar's exact test: whether two answers to the same questions differ more than coins would. */

export interface McNemar {
  /** Questions that only the one, or only the other, had right. */
  readonly won: number
  readonly lost: number
  /** Two-sided. */
  readonly p: number
}

/** Half credit on either side (a tie) says nothing about which one is better, and is left out. */
export const mcnemar = (one: Float64Array, other: Float64Array): McNemar => {
  let [won, lost] = [0, 0]
  for (const [index, credit] of one.entries()) {
    if (credit === 1 && other[index] === 0) won++
    if (credit === 0 && other[index] === 1) lost++
  }
  return { won, lost, p: Math.min(1, 2 * tailOf(Math.min(won, lost), won + lost)) }
}

/** How likely so many heads or fewer are in so many throws; in logarithms, since 2 ** -2000 is no number. */
const tailOf = (heads: number, throws: number): number => {
  let logarithm = -throws * Math.LN2
  let sum = 0
  for (let count = 0; count <= heads; count++) {
    sum += Math.exp(logarithm)
    logarithm += Math.log((throws - count) / (count + 1))
  }
  return sum
}
