/** Values of closed formats as a transcript writes them, and back. */

import { type ModelError, modelErrorKinds, wordingOf } from '../../core/errors.ts'
import type { Answer } from '../../core/question/answer.ts'
import type { Question } from '../../core/question/question.ts'

type Mark = '|' | '>'
/** An item that holds the mark as a word of its own would be read as two. */
const escapedItem = (item: string, mark: Mark): string =>
  item.replace(new RegExp(`(^| )(\\\\*)\\${mark}(?= |$)`, 'g'), `$1\\$2${mark}`)
const unescapedItem = (item: string, mark: Mark): string =>
  item.replace(new RegExp(`(^| )\\\\(\\\\*)\\${mark}(?= |$)`, 'g'), `$1$2${mark}`)

export const joined = (items: readonly string[], mark: Mark): string =>
  items.map(item => escapedItem(item, mark)).join(` ${mark} `)

export const separated = (text: string, mark: Mark): string[] =>
  text === '' ? [] : text.split(` ${mark} `).map(item => unescapedItem(item, mark))

/** What stands after a seat's `Answer: `. */
export const writtenValue = (question: Question, answer: Answer): string => {
  switch (question.format) {
    case 'open':
    case 'text':
      return answer.headline
    case 'choice':
      return answer.choice ?? ''
    case 'ranking':
      return joined(answer.ranking ?? [], '>')
    case 'number':
      return answer.number === undefined ? '' : String(answer.number)
    default:
      return question.format satisfies never
  }
}

/** Undefined if the text isn't a value of that format. */
export const readValue = (format: Question['format'], text: string): Partial<Answer> | undefined => {
  if (format === 'open' || format === 'text' || text === '') return {}
  if (format === 'choice') return { choice: text }
  if (format === 'ranking') return { ranking: separated(text, '>') }
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? { number } : undefined
}

/** Stands for the options that nobody chose, if a transcript does not list them. */
export const optionNotShown = '(not shown)'

/** The options as far as the answers show them; a list that says no more is left out. */
export const shownOptions = (choices: readonly string[]): string[] => {
  const shown = new Map<string, string>()
  for (const choice of choices.map(one => one.trim()).filter(one => one !== '')) {
    if (!shown.has(choice.toLowerCase())) shown.set(choice.toLowerCase(), choice)
  }
  return shown.size === 1 ? [...shown.values(), optionNotShown] : [...shown.values()]
}

/** "timed out: …", "server error (500): …" */
export const writtenError = ({ kind, status, message }: ModelError): string =>
  `${wordingOf(kind).short}${status === undefined ? '' : ` (${status})`}: ${message}`

export const readError = (text: string): ModelError | undefined => {
  for (const kind of modelErrorKinds) {
    const { short } = wordingOf(kind)
    if (!text.startsWith(short)) continue
    const found = /^(?: \((-?\d+)\))?: (.*)$/s.exec(text.slice(short.length))
    if (!found) continue
    const [, status, message = ''] = found
    return { kind, message, ...(status !== undefined && { status: Number(status) }) }
  }
  return undefined
}
