/** Picks the passages of long attachments that all seats get, by how well they match the words of the question. */
import { createRequire } from 'node:module'
import type MiniSearch from 'minisearch'
import { type Excerpts, type ExhibitPassage, passagesOf } from '../core/question/excerpts.ts'
import type { Question } from '../core/question/question.ts'
import { tokensIn } from '../runtime/tokens.ts'

/** Scripts without spaces between words are taken character by character. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu

const wordsIn = (text: string): string[] => text.toLowerCase().match(words) ?? []

/** Loaded when it is needed: most questions fit, and whoever lists models asks nothing. */
const searchLibrary = (): typeof MiniSearch => createRequire(import.meta.url)('minisearch')

/** Places of the passages that have any of the words, the best first (BM25). Other words aren't indexed. */
const ranked = (texts: readonly string[], asked: string): number[] => {
  const wanted = new Set(wordsIn(asked))
  const Index = searchLibrary()
  const index = new Index<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: wordsIn,
    processTerm: word => (wanted.has(word) ? word : null),
  })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return index.search(asked).map(({ id }) => id as number)
}

/** What goes along with each passage: its exhibit, place and line. */
const aroundPassage = 30

const askedIn = ({ text, options }: Question): string => [text, ...options].join('\n')

/** As many as fit into so many tokens; those without any word of the question last, in the order of the texts. */
const picked = (
  passages: readonly ExhibitPassage[],
  texts: readonly string[],
  asked: string,
  room: number,
): ExhibitPassage[] => {
  const order = new Set([...ranked(texts, asked), ...texts.keys()])
  const taken: number[] = []
  let left = room
  for (const at of order) {
    const tokens = tokensIn(texts[at]!) + aroundPassage
    if (tokens > left) continue
    taken.push(at)
    left -= tokens
  }
  return taken.toSorted((one, other) => one - other).map(at => passages[at]!)
}

/** Undefined if not even one passage fits. `room`: tokens. */
export const excerptsOf = (question: Question, room: number): Excerpts | undefined => {
  const passages = passagesOf(question.attachments)
  const texts = passages.map(({ exhibit, from, to }) =>
    question.attachments[exhibit - 1]!.text.slice(from, to),
  )
  const given = picked(passages, texts, askedIn(question), room)
  return given.length > 0 ? { given, of: passages.length } : undefined
}
