/** How exactly a number is written. */

/** So many digits are always meant: 2000 and 1999 are two years, and 100 isn't 90 rounded. */
const meantDigits = 4

/** The place of a number's last digit: 100 for 384,400, and 0.1 for 384,399.5. */
export const lastPlace = (value: number): number => {
  const [digits = '0', exponent = '0'] = Number(Math.abs(value).toPrecision(15)).toExponential().split('e')
  const written = digits.replace('.', '').length
  return value === 0 ? 0 : 10 ** (Number(exponent) - Math.max(written, meantDigits) + 1)
}
