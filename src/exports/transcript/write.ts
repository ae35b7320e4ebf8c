import type { ModelError } from '../../core/errors.ts'
import type { Report, Seat } from '../../core/log/event.ts'
import { answerIn, type Round, roundAt, type Session } from '../../core/log/state.ts'
import type { Question } from '../../core/question/question.ts'
import { howOftenRight } from '../../core/track-record/how-often-right.ts'
import { plainReport } from '../../core/verdict/plain-report.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { betweenRoundsOf, namesIn } from '../../core/wording/between-rounds.ts'
import { howOftenRightSentence } from '../../core/wording/how-often-right-words.ts'
import { reportParts } from '../../core/wording/report-parts.ts'
import { sessionTitle } from '../../core/wording/session-title.ts'
import {
  knownThread,
  linkNotes,
  type ThreadSession,
  threadTexts,
  threadTitle,
} from '../../core/wording/thread-words.ts'
import { detailLines } from './details.ts'
import { bareField, body, field, questionLines, responses, textResponses } from './lines.ts'
import { joined, shownOptions, writtenError, writtenValue } from './values.ts'

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
