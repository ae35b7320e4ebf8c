/**
 * Headlines that differ by hardly a word. If the moderator is too small to compare headlines, code recognises these: a
 * small model takes "close its centre" and "close its center" for two positions, which looks like a change of mind.
 */
import { normalised } from '../question/answer.ts'

const articles = new Set('a an the der die das ein eine le la les un une el los las il lo'.split(' '))

/** A word that may turn a sentence into its opposite, or has other characters than letters. */
const weighty =
  /^(?:no|not|non|never|nor|none|neither|nobody|nothing|without|hardly|rarely|few|only|cannot|t|nicht|nie|keine?n?|ohne|ne|pas|jamais|sans|nunca|sin|mai|senza)$|[^\p{L}\p{M}]/u

/** One word may be added for every so many words: in a short sentence every word counts. */
const wordsForOne = 5

/** A word as it is compared: without a plural s, and in one spelling of English. */
const plain = (word: string): string =>
  word
    .replace(/(?<=\p{L})s$/u, '')
    .replace(/(?<=\p{L}{3})our/u, 'or')
    .replace(/(?<=\p{L}{2}[bt])re$/u, 'er')

const wordsOf = (text: string): string[] =>
  normalised(text)
    .split(' ')
    .filter(word => !articles.has(word))
    .map(plain)

/** The words that the longer text adds. Undefined if the shorter text has words that the longer one lacks. */
const addedTo = (shorter: readonly string[], longer: readonly string[]): string[] | undefined => {
  let next = 0
  const added = longer.filter(word => {
    const stands = word === shorter[next]
    if (stands) next++
    return !stands
  })
  return next === shorter.length ? added : undefined
}

/** Whether two headlines differ only in spelling, or by a few words that can't change what they assert. */
export const hasSameWording = (one: string, other: string): boolean => {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first]
  const added = addedTo(shorter, longer)
  if (!added || shorter.length === 0) return false
  return added.length <= shorter.length / wordsForOne && !added.some(word => weighty.test(word))
}
