/** While somebody types, the last word of a search may be incomplete: it also finds words that begin with it. */

export interface SearchPrefix {
  /** The text before it. */
  readonly before: string
  readonly beginning: string
}

/** Undefined if the last word is quoted, excluded with a minus, or followed by something. */
export const searchPrefixIn = (words: string): SearchPrefix | undefined => {
  const { before = '', beginning } =
    /^(?<before>.*\s)?(?<beginning>[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)$/su.exec(words)?.groups ?? {}
  const isQuoted = before.split('"').length % 2 === 0
  return beginning === undefined || isQuoted ? undefined : { before, beginning }
}
