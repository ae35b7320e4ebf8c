/**
 * Headlines that differ in hardly a word. Where nobody is fit to compare headlines, this much is left to code: a small
 * model takes "close its centre" and "close its center" for two positions, and a reader sees a change of mind in it.
 */
import { normalised } from '../question/answer.ts'

const articles = new Set('a an the der die das ein eine le la les un une el los las il lo'.split(' '))

/** A word that may turn a sentence into its opposite, or that is more than letters. */
const weighty =
  /^(?:no|not|non|never|nor|none|neither|nobody|nothing|without|hardly|rarely|few|only|cannot|t|nicht|nie|keine?n?|ohne|ne|pas|jamais|sans|nunca|sin|mai|senza)$|[^\p{L}\p{M}]/u

/** For so many words one may be added: in a short sentence every word counts. */
const wordsForOne = 5

/** A word as it is compared: without the s of a plural, and in one of the two spellings of English. */
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

/** The words of the longer text that the shorter one lacks; undefined where it lacks more than that. */
const addedTo = (shorter: readonly string[], longer: readonly string[]): string[] | undefined => {
  let next = 0
  const added = longer.filter(word => {
    const stands = word === shorter[next]
    if (stands) next++
    return !stands
  })
  return next === shorter.length ? added : undefined
}

/** Whether one headline is the other in another spelling, or with a word more that cannot change what it asserts. */
export const hasSameWording = (one: string, other: string): boolean => {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first]
  const added = addedTo(shorter, longer)
  if (!added || shorter.length === 0) return false
  return added.length <= shorter.length / wordsForOne && !added.some(word => weighty.test(word))
}
