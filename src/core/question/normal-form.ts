/** A text in a normal form of Unicode, so that two spellings of one character are equal. */

/**
 * Sorting the marks on one letter takes time that grows with the square of their number: 100,000 accents take 15 seconds.
 * No language puts more than a few on one letter, and Unicode's own limit for streams is this one.
 */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

export const normalForm = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(tooManyMarks, '$1').normalize(form)
