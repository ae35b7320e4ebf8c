/** Wilson's interval of a share: it stays within 0 and 1, and is useful even if all or none were right. */

/** The normal distribution's quantile at 97.5 %. */
const z = 1.959964

export const wilson = (successes: number, of: number): readonly [number, number] => {
  if (of === 0) return [0, 1]
  const share = successes / of
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of)
  const half = (z / (1 + z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}
