/**
 * Headlines that differ in hardly a word. Where nobody is fit to compare headlines, this much is left to code: a small
 * model takes "close its centre" and "close its center" for two positions, and a reader sees a change of mind in it.
 */
import { normalised } from './answer.ts'

const articles = new Set('a an the der die das ein eine le la les un une el los las il lo'.split(' '))

/** A word that may turn a sentence into its opposite, or that is more than letters. */
const weighty =
  /^(?:no|not|non|never|nor|none|neither|nobody|nothing|without|hardly|rarely|few|only|cannot|t|nicht|nie|keine?n?|ohne|ne|pas|jamais|sans|nunca|sin|mai|senza)$|[^\p{L}\p{M}]/u

/** For so many words one may be added: in a short sentence every word counts. */
const wordsForOne = 5

/** From this length on two words may differ in one letter, or in two that changed places. */
const longWord = 6

const isSpelling = (one: string, other: string): boolean => {
  if (one === other || `${one}s` === other || one === `${other}s`) return true
  const shortest = Math.min(one.length, other.length)
  if (one[0] !== other[0] || shortest < longWord) return false
  let start = 0
  while (one[start] === other[start]) start++
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const isSwapped = left.length === 2 && left === [...right].reverse().join('')
  return left.length + right.length === 1 || isSwapped
}

const wordsOf = (text: string): string[] =>
  normalised(text)
    .split(' ')
    .filter(word => !articles.has(word))

/** The words of the longer text that the shorter one lacks; undefined where it lacks more than that. */
const addedTo = (shorter: readonly string[], longer: readonly string[]): string[] | undefined => {
  let next = 0
  const added = longer.filter(word => {
    const stands = next < shorter.length && isSpelling(shorter[next]!, word)
    if (stands) next++
    return !stands
  })
  return next === shorter.length ? added : undefined
}

/** Whether one headline is the other in another spelling, or with a word more that cannot change what it asserts. */
export const isNear = (one: string, other: string): boolean => {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first]
  const added = addedTo(shorter, longer)
  if (!added || shorter.length === 0) return false
  return added.length <= shorter.length / wordsForOne && !added.some(word => weighty.test(word))
}
