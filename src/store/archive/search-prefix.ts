/** Who types has the beginning of a word last, and looks for the words that begin so. */

export interface SearchPrefix {
  /** The text before it. */
  readonly before: string
  readonly beginning: string
}

/** None where the last word is quoted, left out with a minus, or has something behind it. */
export const searchPrefixIn = (words: string): SearchPrefix | undefined => {
  const { before = '', beginning } =
    /^(?<before>.*\s)?(?<beginning>[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)$/su.exec(words)?.groups ?? {}
  const isQuoted = before.split('"').length % 2 === 0
  return beginning === undefined || isQuoted ? undefined : { before, beginning }
}
