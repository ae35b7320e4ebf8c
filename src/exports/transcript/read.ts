/** Reads a transcript: finds its blocks, and gives their texts back to the byte. */
import type { Report } from '../../core/log/event.ts'
import { type Question, questionSchema } from '../../core/question/question.ts'
import { bareFieldText, fieldText, questionLines, responses } from './lines.ts'
import { type ReadSeat, readSeats } from './read-seats.ts'
import { found, type TextSource } from './source.ts'
import { separated, shownOptions } from './values.ts'

export interface Transcript {
  readonly debate: boolean
  readonly question: Question
  readonly seats: readonly ReadSeat[]
  readonly report: Report
  /** The verdict as the transcript claims it. */
  readonly line: string
}

/** Where the parts begin. */
interface Parts {
  readonly answer: number
  readonly responses: number
  readonly summary: number
  readonly verdict: number
}

/** Undefined: it is one of the closed formats, which the next lines tell apart. */
type HeaderFormat = 'open' | 'text' | undefined

const readHeader = (source: TextSource): { format: HeaderFormat; debate: boolean; count: number } => {
  const header = source.lines[0]
  const parts = /^AI Roundtable (Open |Text )?(Poll|Debate) · (\d+) models?$/.exec(header ?? '')
  if (!parts) {
    return source.fail(
      0,
      `a header such as "AI Roundtable Open Debate · 6 models" was expected, ${found(header)}`,
    )
  }
  const format = parts[1] === undefined ? undefined : parts[1] === 'Open ' ? 'open' : 'text'
  return { format, debate: parts[2] === 'Debate', count: Number(parts[3]) }
}

const findParts = (source: TextSource): Parts => {
  const { lines } = source
  const end = lines.length
  const answer = lines.findIndex(line => line.startsWith('Answer: '))
  if (answer < 0) return source.fail(end, 'the table\'s answer is missing: no line begins with "Answer: "')
  const responsesAt = lines.indexOf('Model Responses', answer)
  if (responsesAt < 0) return source.fail(end, 'the line "Model Responses" is missing')
  const summary = lines.indexOf('Final Summary', responsesAt)
  if (summary < 0) return source.fail(end, 'the line "Final Summary" is missing')
  const verdict = source.fieldEndingAt(end - 1)
  if (verdict <= summary) return source.fail(end, 'the verdict is missing after "Final Summary"')
  return { answer, responses: responsesAt, summary, verdict }
}

type Closed = Pick<Question, 'format' | 'options' | 'scale' | 'tolerance' | 'length' | 'camps'> & {
  unit?: string
}

/** "Text, 300 words, grouped by intent" */
const readText = (line: string): Closed => {
  const words = /, (\d+) words/.exec(line)?.[1]
  return {
    format: 'text',
    options: [],
    scale: 'linear',
    ...(words !== undefined && { length: Number(words) }),
    ...(line.endsWith('grouped by intent') && { camps: 'intent' }),
  }
}

/** The block between a closed question and the answer; without one it is a choice whose options show. */
const readClosed = (source: TextSource, format: HeaderFormat, at: number): Closed => {
  const block = source.fieldAt(at)
  const [first = ''] = block
  const prefix = /^[^:]*: /.exec(first)?.[0] ?? ''
  const text = fieldText(block, prefix)
  if (format === 'text') return readText(first)
  const scale = /^[^:]*, log scale/.test(first) ? 'log' : 'linear'
  if (prefix === 'Options: ') return { format: 'choice', options: separated(text, '|'), scale: 'linear' }
  if (prefix === 'Items: ') return { format: 'ranking', options: separated(text, '|'), scale: 'linear' }
  const within = /^[^:]*, tolerance ([\d.e+ %-]+?)(?:: |$)/.exec(first)?.[1]
  return {
    format: 'number',
    options: [],
    scale,
    ...(within !== undefined && { tolerance: within.endsWith('%') ? within : Number(within) }),
    ...(first.startsWith('Unit') && { unit: text }),
  }
}

interface Asked extends Closed {
  readonly text: string
  /** The line of the options, items or unit; undefined if there is none. */
  readonly closedAt?: number
}

const readQuestion = (source: TextSource, format: HeaderFormat, answer: number): Asked => {
  const escaping = questionLines(format ?? 'choice')
  const start = source.lines.findIndex((line, index) => index > 0 && escaping.isStructure(line))
  const lines = source.between(0, start)
  if (lines.length === 0) return source.fail(1, 'the question is missing')
  const text = lines.map(escaping.unmark).join('\n')
  if (format === 'open' || start === answer)
    return { text, format: format ?? 'choice', options: [], scale: 'linear' }
  const last = start + source.fieldAt(start).length - 1
  if (source.between(last, answer).length > 0)
    return source.fail(last + 1, `"Answer: " was expected, ${found(source.lines[last + 1])}`)
  return { text, ...readClosed(source, format, start), closedAt: start }
}

/** The question, checked; an error names the line. */
const checkedQuestion = (source: TextSource, asked: Asked, seats: readonly ReadSeat[]): Question => {
  const { closedAt, options, ...rest } = asked
  const choices = seats.flatMap(seat => (seat.status === 'given' ? (seat.value.choice ?? []) : []))
  const listed = closedAt !== undefined || asked.format !== 'choice'
  const parsed = questionSchema.safeParse({ ...rest, options: listed ? options : shownOptions(choices) })
  if (parsed.success) return parsed.data
  const reason = parsed.error.issues[0]?.message ?? 'The question is not valid.'
  return source.fail(closedAt ?? 1, reason.replace(/\.$/, ''))
}

/** "Answer: … (All 6 models agreed)" and, if there is dissent, "Counterpoint: …". */
const readReport = (source: TextSource, parts: Parts, line: string): Report => {
  const answerBlock = source.fieldAt(parts.answer)
  const answer = fieldText(answerBlock, 'Answer: ')
  const claim = ` (${line})`
  if (!answer.endsWith(claim))
    return source.fail(parts.answer, `the answer does not end in "${claim}", the last line of the transcript`)
  const summary = source.between(parts.summary, parts.verdict).join('\n')
  const report = { answer: answer.slice(0, -claim.length), summary }
  let last = parts.answer + answerBlock.length - 1
  const next = last + 1 + source.gap
  if (!source.lines[next]?.startsWith('Counterpoint: ')) {
    expectNothing(source, last, parts.responses)
    return report
  }
  const counterpointBlock = source.fieldAt(next)
  last = next + counterpointBlock.length - 1
  expectNothing(source, last, parts.responses)
  return { ...report, counterpoint: fieldText(counterpointBlock, 'Counterpoint: ') }
}

const expectNothing = (source: TextSource, last: number, first: number): void => {
  if (source.between(last, first).length > 0)
    source.fail(
      last + 1 + source.gap,
      `"Model Responses" was expected, ${found(source.lines[last + 1 + source.gap])}`,
    )
}

export const readTranscript = (source: TextSource): Transcript => {
  const { format, debate, count } = readHeader(source)
  const parts = findParts(source)
  const line = bareFieldText(source.lines.slice(parts.verdict), responses)
  const asked = readQuestion(source, format, parts.answer)
  const report = readReport(source, parts, line)
  const seats = readSeats(source, asked.format, parts.responses, parts.summary)
  if (seats.length !== count)
    return source.fail(0, `the header says ${count} models, and ${seats.length} were found`)
  return { debate, question: checkedQuestion(source, asked, seats), seats, report, line }
}
