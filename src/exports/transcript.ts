/** Reads what stands between "Model Responses" and "Final Summary": a name and a text for each seat. */
import { type ModelError, modelErrorKinds, wordingOf } from '../core/basics.ts'
import { allStamped, type Happening, logSchema, type Report, type SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { deepest, pathText } from '../core/form.ts'
import type { Seat } from '../core/opening.ts'
import { type Answer, type Format, type Question, questionSchema } from '../core/question.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/session.ts'
import { howOftenRight } from '../count/splits.ts'
import { verdictOf } from '../count/verdict.ts'
import { plainReport } from '../report/report.ts'
import { knownThread, linkNotes, type ThreadSession, threadTexts, threadTitle } from '../words/asking.ts'
import { betweenRoundsOf, namesIn } from '../words/moves.ts'
import { sessionTitle } from '../words/story.ts'
import { howOftenRightSentence, reportParts } from '../words/words.ts'
import type { Exporter, ImportContext } from './exporter.ts'
import {
  answers,
  bareField,
  bareFieldText,
  body,
  bodyText,
  type Details,
  detailLines,
  details,
  field,
  fieldText,
  found,
  isContinuation,
  joined,
  questionLines,
  readDetails,
  readError,
  readValue,
  responses,
  separated,
  shownOptions,
  sourceOf,
  type TextSource,
  textResponses,
  writtenError,
  writtenValue,
} from './transcript-parts.ts'

export type ReadSeat = { readonly name: string; readonly changed: boolean } & HandedInText
interface GivenText {
  readonly status: 'given'
  readonly headline: string
  readonly reasoning: string
  readonly value: Partial<Answer>
  readonly details: Details
}
type HandedInText =
  | GivenText
  | { readonly status: 'silent'; readonly error: ModelError }
  | { readonly status: 'abstained'; readonly words: string }

const changedMark = ' (changed mind)'

/** A seat's first line is its name, which nothing marks: it is the block before its answer. */
const nameBefore = (source: TextSource, at: number, from: number): number => {
  if (source.gap === 1 && source.lines[at - 1] !== '')
    return source.fail(
      at,
      `a blank line was expected before ${found(source.lines[at]).slice('found '.length)}`,
    )
  const start = source.fieldEndingAt(at - 1 - source.gap)
  if (start <= from) return source.fail(at, 'the name of a model was expected before its answer')
  return start
}

export const readSeats = (source: TextSource, format: Format, from: number, to: number): ReadSeat[] => {
  const section = source.lines.slice(from + 1, to)
  const handedIn = section.flatMap((line, index) => (answers.isStructure(line) ? [from + 1 + index] : []))
  let last = from
  const starts: number[] = []
  for (const at of handedIn) {
    starts.push(nameBefore(source, at, last))
    last = at
  }
  if (source.between(from, starts[0] ?? to).length > 0)
    return source.fail(from + 1 + source.gap, 'the name of a model was expected, and then its answer')
  const heads = starts.map(start => readName(source, start))
  const names = heads.map(head => head.name)
  return heads.map((head, index) => ({
    ...head,
    ...readHandedIn(source, format, handedIn[index] ?? to, starts[index + 1] ?? to, names),
  }))
}

const readName = (source: TextSource, start: number): Pick<ReadSeat, 'name' | 'changed'> => {
  const written = bareFieldText(source.fieldAt(start), responses)
  const changed = written.endsWith(changedMark)
  const name = (changed ? written.slice(0, -changedMark.length) : written).replace(
    / \(changed mind\\(\\*)\)$/,
    ' (changed mind$1)',
  )
  if (name.trim() === '') return source.fail(start, 'the name of a model is missing')
  return { name, changed }
}

const readHandedIn = (
  source: TextSource,
  format: Format,
  at: number,
  next: number,
  names: readonly string[],
): HandedInText => {
  const block = source.fieldAt(at)
  const prefix = /^[^:]*: /.exec(block[0] ?? '')?.[0] ?? ''
  const text = fieldText(block, prefix)
  const end = at + block.length
  const lines = source.between(end - 1, next)
  if (prefix === 'Answer: ') return readGiven(source, format, { at, end, next }, text, lines, names)
  const absence = readAbsence(source, at, prefix, text)
  return lines.length === 0
    ? absence
    : source.fail(end + source.gap, 'the name of the next model was expected')
}

const readAbsence = (source: TextSource, at: number, prefix: string, text: string): HandedInText => {
  if (prefix === 'Abstained: ') return { status: 'abstained', words: text }
  const error = readError(text)
  if (error) return { status: 'silent', error }
  const reasons = modelErrorKinds.map(kind => wordingOf(kind).short).join(', ')
  return source.fail(
    at,
    `why the seat is silent was expected as "<reason>: <message>", with one of ${reasons}`,
  )
}

/** The answer, and behind its text what the seat says besides. */
const readGiven = (
  source: TextSource,
  format: Format,
  { at, end, next }: Record<'at' | 'end' | 'next', number>,
  text: string,
  lines: readonly string[],
  names: readonly string[],
): HandedInText => {
  const begins = lines.findIndex(details.isStructure)
  if (begins < 0) return { ...readAnswer(source, format, at, text, lines), details: {} }
  const own = lines.slice(0, Math.max(0, begins - source.gap))
  const from = end + source.gap + begins
  return {
    ...readAnswer(source, format, at, text, own),
    details: readDetails(source, from, next - source.gap, names),
  }
}

const aboutText = 'About the text: '

/** A text, and after it what its author says about it. */
const readText = (source: TextSource, lines: readonly string[]): Pick<GivenText, 'reasoning' | 'value'> => {
  const about = lines.findIndex(line => line.startsWith(aboutText))
  const written = about < 0 ? lines : lines.slice(0, Math.max(0, about - source.gap))
  return {
    reasoning: about < 0 ? '' : fieldText(lines.slice(about), aboutText),
    value: written.length === 0 ? {} : { text: bodyText(written, textResponses) },
  }
}

const readAnswer = (
  source: TextSource,
  format: Format,
  at: number,
  text: string,
  lines: readonly string[],
): Omit<GivenText, 'details'> => {
  const value = readValue(format, text)
  if (!value) return source.fail(at, `a number was expected, ${found(text)}`)
  if (format === 'text') return { status: 'given', headline: text, ...readText(source, lines) }
  if (format === 'open' || lines.length === 0)
    return { status: 'given', headline: text, reasoning: bodyText(lines, responses), value }
  const more = lines.findIndex((line, index) => index > 0 && !isContinuation(line))
  const split = more < 0 ? lines.length : more
  const headline = bareFieldText(lines.slice(0, split), responses)
  const reasoning = lines.slice(split)
  if (source.gap === 1 && reasoning.length > 0 && (reasoning.shift() !== '' || reasoning.length === 0))
    return source.fail(at + 2, 'a blank line was expected between the headline and the reasoning')
  return { status: 'given', headline, reasoning: bodyText(reasoning, responses), value }
}

// read: Reads a transcript: finds its blocks, and gives their texts back to the byte.

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
const readClosedText = (line: string): Closed => {
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
  if (format === 'text') return readClosedText(first)
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

/** Lines that belong together; a blank line separates blocks, and nothing in the compact layout. */
type Block = readonly string[]

const header = ({ question, roundsSoFar, seats }: Session): string =>
  sessionTitle(
    question.format,
    roundsSoFar.some(round => !round.sealed),
    seats.length,
  )

const choicesIn = (session: Session, round: Round | undefined): string[] =>
  session.seats.flatMap(seat => answerIn(round, seat.id)?.choice ?? [])

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

/** "Text, 300 words, grouped by intent"; nothing if only the format is said, which the header says. */
const textBlock = ({ length, camps }: Question): Block => {
  const asked = [length === undefined ? [] : `${length} words`, camps ? 'grouped by intent' : []].flat()
  return asked.length === 0 ? [] : [['Text', ...asked].join(', ')]
}

const closedBlock = (question: Question, shown: readonly string[]): Block => {
  const within = question.tolerance === undefined ? '' : `, tolerance ${question.tolerance}`
  const scale = `${question.scale === 'log' ? ', log scale' : ''}${within}`
  switch (question.format) {
    case 'open':
      return []
    case 'text':
      return textBlock(question)
    case 'choice':
      return sameList(question.options, shown) ? [] : field('Options: ', joined(question.options, '|'))
    case 'ranking':
      return field('Items: ', joined(question.options, '|'))
    case 'number':
      return question.unit === undefined ? [`No unit${scale}`] : field(`Unit${scale}: `, question.unit)
    default:
      return question.format satisfies never
  }
}

/** What an imported transcript claims; otherwise a seat changed its mind if its switch counts. */
const changedMind = (session: Session, seat: string): boolean =>
  session.imported
    ? session.imported.changed.includes(seat)
    : verdictOf(session).ledger.some(flip => flip.seat === seat)

/** A name that itself ends like the mark gets a backslash, or it would be read as the mark. */
const nameText = (session: Session, { id, name }: Seat): string => {
  const escaped = name.replace(/ \(changed mind(\\*)\)$/, ' (changed mind\\$1)')
  return changedMind(session, id) ? `${escaped} (changed mind)` : escaped
}

const notAsked: ModelError = { kind: 'cancelled', message: 'It was not asked.' }

const seatBlocks = (session: Session, round: Round | undefined, seat: Seat): Block[] => {
  const name = bareField(nameText(session, seat), responses)
  const handedIn = round?.handedIn[seat.id] ?? { status: 'silent', error: notAsked }
  if (handedIn.status === 'silent') return [name, field('Silent: ', writtenError(handedIn.error))]
  if (handedIn.status === 'abstained') return [name, field('Abstained: ', handedIn.words)]
  const { headline, reasoning, text = '' } = handedIn.answer
  if (session.question.format === 'text') {
    const about = reasoning === '' ? [] : field('About the text: ', reasoning)
    return [
      name,
      field('Answer: ', headline),
      body(text, textResponses),
      about,
      detailLines(session, handedIn),
    ]
  }
  const value = writtenValue(session.question, handedIn.answer)
  const isSaid = session.question.format === 'open' || (headline === value && reasoning === '')
  return [
    name,
    field('Answer: ', value),
    isSaid ? [] : bareField(headline, responses),
    body(reasoning, responses),
    detailLines(session, handedIn),
  ]
}

/** What happened between rounds, after the summary: figures of the group, advocates, a judge. */
const betweenRoundsBlocks = (session: Session): Block[] =>
  session.roundsSoFar
    .flatMap(round => betweenRoundsOf(round, namesIn(session, round)))
    .map(({ who, words }) => `${who}: ${words}`.split('\n'))

/** The parts that the summary doesn't hold. An import reads them as a part of it. */
const partBlocks = (report: Report): Block[] =>
  reportParts(report, () => '')
    .filter(({ id }) => ['open', 'unverified', 'settle'].includes(id))
    .map(({ title, text }) => `${title}: ${text}`.split('\n'))

/** How the session belongs to others. An import reads it as a part of the summary. */
const threadBlocks = (session: Session, thread: readonly ThreadSession[] | undefined): Block[] => {
  const { id, question, outcome } = session
  const line = outcome ? verdictOf(session).line : null
  const whole = thread ?? knownThread({ ...session, id, question: question.text, line })
  const lines = threadTexts(whole, id).map(({ depth, text }) => `${'  '.repeat(depth)}- ${text}`)
  return [...linkNotes(session).map(note => [note]), lines.length > 0 ? [`${threadTitle}:`, ...lines] : []]
}

export const writeTranscript = (
  session: Session,
  compact: boolean,
  thread?: readonly ThreadSession[],
): string => {
  const { question } = session
  const verdict = verdictOf(session)
  const round = roundAt(session, verdict.final?.round ?? -1)
  const report = session.report ?? plainReport(session)
  const { answer, summary, counterpoint } = report
  const asked = questionLines(question.format)
  const signal = howOftenRight(session)
  const blocks: Block[] = [
    [header(session)],
    question.text.split('\n').map(asked.mark),
    closedBlock(question, shownOptions(choicesIn(session, round))),
    field('Answer: ', `${answer} (${verdict.line})`),
    counterpoint === undefined ? [] : field('Counterpoint: ', counterpoint),
    ['Model Responses'],
    ...session.seats.flatMap(seat => seatBlocks(session, round, seat)),
    ['Final Summary'],
    summary === '' ? [] : summary.split('\n'),
    ...partBlocks(report),
    signal ? [howOftenRightSentence(signal)] : [],
    ...betweenRoundsBlocks(session),
    ...threadBlocks(session, thread),
    bareField(verdict.line, responses),
  ]
  return blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join(compact ? '\n' : '\n\n')
}

// transcript: The plain text of a session, in two layouts. It has no earlier rounds, so an import keeps what the
// transcript claims about agreement and changes of mind, and calls these claims.

/** A, B, … Z, AA, AB, … */
const aliasAt = (index: number): string =>
  (index >= 26 ? aliasAt(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const handedIn = (seat: ReadSeat, id: string, round: number): Happening => {
  switch (seat.status) {
    case 'given': {
      const { headline, reasoning, value } = seat
      const { late: _late, ...details } = seat.details
      const answer = { headline, reasoning, confidence: null, ...value, ...details, language: null }
      return { type: 'answer-given', round, seat: id, answer }
    }
    case 'silent':
      return { type: 'seat-silent', round, seat: id, error: seat.error }
    case 'abstained':
      return { type: 'seat-abstained', round, seat: id, words: seat.words }
    default:
      return seat satisfies never
  }
}

const isLate = (seat: ReadSeat): boolean => seat.status === 'given' && seat.details.late === true

/** What seats handed in: late answers come last, after the round has closed without them. */
const allHandedIn = (seats: readonly (ReadSeat & { readonly id: string })[], round: number): Happening[] => {
  const late = seats.filter(isLate)
  return [
    ...seats.filter(seat => !isLate(seat)).map(seat => handedIn(seat, seat.id, round)),
    ...late.map(({ id: seat }): Happening => ({ type: 'seat-overdue', round, seat, by: 'patience' })),
    ...late.map(seat => handedIn(seat, seat.id, round)),
  ]
}

/** A debate's sealed round is not in its transcript, so the log begins with the round after it. */
const happenings = (transcript: Transcript, id: string): Happening[] => {
  const { debate, question, report, line } = transcript
  const seats = transcript.seats.map((seat, index) => ({
    ...seat,
    id: `s${index + 1}`,
    alias: aliasAt(index),
  }))
  const round = debate ? 1 : 0
  return [
    {
      type: 'session-opened',
      id,
      question,
      seats: seats.map(({ id: seat, alias, name }) => ({ id: seat, alias, name, model: `imported/${name}` })),
      moderator: null,
      protocol: debate ? 'roundtable' : 'poll',
      rounds: round,
      names: 'shown',
      language: null,
      seed: 'imported',
      deadline: 120,
      imported: {
        from: 'transcript',
        line,
        changed: seats.filter(seat => seat.changed).map(seat => seat.id),
      },
    },
    { type: 'round-opened', round, sealed: !debate },
    ...allHandedIn(seats, round),
    { type: 'report-written', report, by: 'moderator' },
    {
      type: 'session-finished',
      outcome: /^No (?:quorum|model could be reached)/.test(line) ? 'no-quorum' : 'verdict',
    },
  ]
}

const read = (text: string, context: ImportContext): SessionEvent[] => {
  const source = sourceOf(text)
  const events = allStamped(happenings(readTranscript(source), context.newId()), 0, context.clock)
  const [issue] = logSchema.safeParse(events).error?.issues ?? []
  if (issue) source.fail(0, `${pathText(deepest(issue).path.slice(1))}: ${deepest(issue).message}`)
  // An import that does not give the same text back has lost something.
  const again = writeTranscript(fold(events), source.gap === 0).split('\n')
  const lost = source.lines.findIndex((line, index) => line !== again[index])
  if (lost >= 0 || again.length !== source.lines.length) {
    const at = lost >= 0 ? lost : source.lines.length
    const expected = again[at] === undefined ? 'nothing' : found(again[at]).slice('found '.length)
    source.fail(at, `${expected} was expected here, ${found(source.lines[at])}`)
  }
  return events
}

export const transcript = (): Exporter => ({
  id: 'transcript',
  label: 'Transcript',
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  write: (events, options) => writeTranscript(fold(events), options?.compact ?? false, options?.thread),
  read,
})
