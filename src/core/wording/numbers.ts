/** Counts and shares as people read them: the same on the terminal, on pages and in exports. */

/** 12,345 */
export const wholeNumber = (value: number): string => value.toLocaleString('en-US')

/** "1 seat", "12,345 tokens" */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`

/** "6 models". Digits alone: transcripts write this and read it back. */
export const models = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

/** 213, 1.2k, 34k, 1.2M */
export const shortNumber = (count: number): string => {
  if (count < 1000) return String(Math.round(count))
  if (count < 9_950) return `${(count / 1000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** 62.3, for a column whose head says that it is in percent. */
export const inPercent = (share: number, digits = 1): string => (share * 100).toFixed(digits)

/** 62% */
export const percent = (share: number, digits = 0): string => `${inPercent(share, digits)}%`

/** +1.5, −0.3, 0.0: a difference of two shares in percentage points. */
export const signedPoints = (share: number, digits = 1): string => {
  const size = inPercent(Math.abs(share), digits)
  if (Number(size) === 0) return size
  return share < 0 ? `−${size}` : `+${size}`
}

/** "8–240", or "8" if both ends read the same. */
export const rangeText = (low: string, high: string, between = '–'): string =>
  low === high ? low : `${low}${between}${high}`

/** "Claude, GPT and Gemini" */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
