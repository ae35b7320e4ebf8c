/** Guesses which model an unknown name meant. */
import type { CatalogueModel } from './model.ts'
import { lastSegment, nameKey, versionOf, wordsOf } from './naming.ts'

/** How many letters must be added, dropped or changed to turn one word into the other. */
export const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}

/**
 * No model has a longer name, and comparing letters takes time that grows with both lengths. Names of listed models are
 * foreign text as well.
 */
export const longestName = 200

const comparable = (name: string): string => lastSegment(name).slice(0, longestName)

/** A whole word counts 1, the start of a word ("397" of "397b") 0.5. */
const wordIn = (word: string, words: readonly string[]): number =>
  words.includes(word) ? 1 : word.length > 1 && words.some(other => other.startsWith(word)) ? 0.5 : 0

const sharedWords = (a: readonly string[], b: readonly string[]): number =>
  (2 * a.reduce((sum, word) => sum + wordIn(word, b), 0)) / (a.length + b.length || 1)

const sameLetters = (a: string, b: string): number => 1 - editDistance(a, b) / Math.max(a.length, b.length, 1)

/** From 0 to 1: half for shared words, half for shared letters. */
const likeness = (name: string): ((model: CatalogueModel) => number) => {
  const wanted = comparable(name)
  const [words, key] = [wordsOf(wanted), nameKey(wanted)]
  return model => {
    const other = model.name.slice(0, longestName)
    return (sharedWords(words, wordsOf(other)) + sameLetters(key, nameKey(other))) / 2
  }
}

/** Below this, what two names share is chance. */
const lowestScore = 0.25

export const nearestTo = (
  name: string,
  models: readonly CatalogueModel[],
  count: number,
): readonly CatalogueModel[] => {
  const like = likeness(name)
  return models
    .filter(model => !model.retired)
    .map(model => ({ model, score: like(model) }))
    .filter(({ score }) => score >= lowestScore)
    .sort((a, b) => b.score - a.score || versionOf(b.model.name) - versionOf(a.model.name))
    .slice(0, count)
    .map(({ model }) => model)
}
