/** McNemar's exact test: whether two methods differ on the same questions by more than chance. */

export interface McNemar {
  /** Questions that only the first, or only the second, got right. */
  readonly won: number
  readonly lost: number
  /** Two-sided. */
  readonly p: number
}

/** Half credit (a tie) doesn't say which one is better, so those questions are left out. */
export const mcnemar = (one: Float64Array, other: Float64Array): McNemar => {
  let [won, lost] = [0, 0]
  for (const [index, credit] of one.entries()) {
    if (credit === 1 && other[index] === 0) won++
    if (credit === 0 && other[index] === 1) lost++
  }
  return { won, lost, p: Math.min(1, 2 * tailOf(Math.min(won, lost), won + lost)) }
}

/** The probability of at most this many heads; in logarithms, because 2 ** -2000 underflows to zero. */
const tailOf = (heads: number, throws: number): number => {
  let logarithm = -throws * Math.LN2
  let sum = 0
  for (let count = 0; count <= heads; count++) {
    sum += Math.exp(logarithm)
    logarithm += Math.log((throws - count) / (count + 1))
  }
  return sum
}
