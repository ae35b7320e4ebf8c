/**
 * The lines of a transcript. How a line begins tells structure from text, so a line of text that
 * begins like structure gets a backslash in front, and loses it again when it is read.
 */
import { judgements, textJudgements } from '../../core/question/answer.ts'
import type { Format } from '../../core/question/question.ts'

/** Begins every line but the first of a field, or the field would end at its first line break. */
const continuation = '\\ '

export interface Escaping {
  readonly isStructure: (line: string) => boolean
  /** What makes the line structure; empty if it is text. */
  readonly beginning: (line: string) => string
  readonly mark: (line: string) => string
  readonly unmark: (line: string) => string
}

/** One more backslash on what begins like structure, however many it has: so the way back is exact. */
const escaping = (structure: string): Escaping => {
  const bare = new RegExp(`^(?:${structure})`)
  const perhaps = new RegExp(`^\\\\*(?:${structure})`)
  const escaped = new RegExp(`^\\\\+(?:${structure})`)
  return {
    isStructure: line => bare.test(line),
    beginning: line => bare.exec(line)?.[0] ?? '',
    mark: line => (perhaps.test(line) ? `\\${line}` : line),
    unmark: line => (escaped.test(line) ? line.slice(1) : line),
  }
}

/** What ends a question. Only closed formats have lines between the question and the answer. */
const openQuestion = escaping('Answer: ')
const closedQuestion = escaping(
  '(?:Answer|Options|Items|Unit(?:, log scale)?(?:, tolerance [\\d.e+ %-]+)?): |No unit(?:, log scale)?(?:, tolerance [\\d.e+ %-]+)?$',
)
const textQuestion = escaping('Answer: |Text(?:, \\d+ words)?(?:, grouped by intent)?$')

/** The lines that end a question of a format. */
export const questionLines = (format: Format): Escaping => {
  if (format === 'text') return textQuestion
  return format === 'open' ? openQuestion : closedQuestion
}

const handedIn = '(?:Answer|Silent|Abstained): |Final Summary$'
const quote = 'quote (?:not )?found'
const judged = [...judgements, ...textJudgements].join('|')
/** A line of its own: the round had gone on without the seat. */
export const cameLate = 'Came late, after its round had closed'
const said =
  `${cameLate}$|` +
  '(?:Reads the question as|Its range|What became of its answer' +
  `|Credits model \\d+, ${quote}` +
  `|Cites exhibit \\d+, (?:quote in a picture|${quote})` +
  `|On model \\d+, (?:because|(?:${judged}), ${quote})): `
/** What begins an answer of a seat. */
export const answers = escaping(handedIn)
/** What a seat says besides its answer, after its text. */
export const details = escaping(said)
/** What ends the text of a seat. */
export const responses = escaping(`${handedIn}|${said}`)
/** The same if seats wrote texts: what they say about them comes after them. */
export const textResponses = escaping(`About the text: |${handedIn}|${said}`)

/** A text that begins like the continuation of the field above it would be read as a part of it. */
const guarded = (line: string): string => (/^\\+ /.test(line) ? `\\${line}` : line)
const unguarded = (line: string): string => (/^\\{2,} /.test(line) ? line.slice(1) : line)

/** A short text with a prefix that says what it is. */
export const field = (prefix: string, text: string): string[] => {
  const [first = '', ...more] = text.split('\n')
  return [prefix + first, ...more.map(line => continuation + line)]
}

/** A short text without a prefix: a name, a headline, the verdict. */
export const bareField = (text: string, { mark }: Escaping): string[] => {
  const [first = '', ...more] = field('', text)
  return [mark(guarded(first)), ...more]
}

/** A long text. An empty one has no line at all. */
export const body = (text: string, { mark }: Escaping): string[] => {
  if (text === '') return []
  const [first = '', ...more] = text.split('\n')
  return [guarded(first), ...more].map(mark)
}

export const isContinuation = (line: string | undefined): boolean => line?.startsWith(continuation) ?? false

export const fieldText = (lines: readonly string[], prefix: string): string =>
  lines.map((line, index) => line.slice(index === 0 ? prefix.length : continuation.length)).join('\n')

export const bareFieldText = ([first = '', ...more]: readonly string[], { unmark }: Escaping): string =>
  fieldText([unguarded(unmark(first)), ...more], '')

export const bodyText = (lines: readonly string[], { unmark }: Escaping): string => {
  const [first = '', ...more] = lines.map(unmark)
  return [unguarded(first), ...more].join('\n')
}
