/** What the moderator says of a round or a question, and what seats are shown of each other. */
import { blanksOf, filledIn } from '../../src/core/form.ts'
import { roundAt } from '../../src/core/session.ts'
import { seatMeant } from '../../src/count/acts.ts'
import { lettersIn } from '../../src/count/letters.ts'
import { bookMarkdown } from '../../src/exports/markdown.ts'
import { answersOfOthers, commentsPart, objectionLines, objectionTask } from '../../src/protocols/answers.ts'
import { afterOf, maskedAfter } from '../../src/protocols/carry.ts'
import { groupReadings, readingLines, readRound } from '../../src/protocols/grouping.ts'
import { findKind } from '../../src/protocols/moderator.ts'
import { askerPart, questionPart, shortened } from '../../src/protocols/parts.ts'
import { sealedPrompt, textPrompt } from '../../src/protocols/prompt.ts'
import { promptPieces } from '../../src/protocols/protocol.ts'
import { reportFacts } from '../../src/protocols/report.ts'
import { readSharpening } from '../../src/protocols/sharpen.ts'
import { plainReport } from '../../src/report/report.ts'
import { questionOf, seatsOf, table } from '../contracts/core-testing.ts'
import { type ForeignReader, reads, sessionOf } from './reader.ts'

const { session: open } = table({ seats: 3 }).round(0, [
  { headline: 'Build it.', reading: 'Now.' },
  { headline: 'Wait.', reading: 'Ever.' },
  { headline: 'Build it.', reading: 'Now.' },
])

const positions = (text: string) => [{ id: text, label: text }]
const digest = (text: string) => [{ position: text, arguments: [{ seat: 'A', quote: text }] }]
const reading = (text: string) => ({
  ...{ positions: positions(text), A: text, B: text, C: text },
  ...{ against: text, tried: text, objection: text, check: text, digest: digest(text) },
})
const command = { type: 'read-round', round: 0, parts: ['objection', 'digest'] } as const

const objected = (text: string) => {
  const { session } = sessionOf(text.slice(0, 10_000)).and({
    type: 'challenge-made',
    round: 0,
    objection: text,
  })
  return [objectionLines(session, roundAt(session, 0)), objectionTask(session, roundAt(session, 0), 's1')]
}

const written = (text: string) =>
  table({ seats: 2, question: questionOf({ text: 'Write.', format: 'text' }) })
    .round(0, [
      { headline: 'One', text },
      { headline: 'Two', text },
    ])
    .round(1, []).session

/** A session whose seat has read a letter, and a book of such letters. */
const readBefore = (text: string, small = false) => {
  const letter = { id: 'b/s1', book: 'b', from: text.slice(0, 2_000), model: 'lab/a', writtenAt: '', text }
  const seats = seatsOf(1).map(seat => ({ ...seat, ...(small && { small }) }))
  return table({ seats, letters: { given: [letter], bySeat: { s1: [letter.id] } } }).session
}
const bookOf = (text: string) => {
  const point = {
    seat: 's1',
    quote: text,
    verified: true,
    judgement: 'works',
    moved: true,
    why: text,
  } as const
  return table({ seats: 2, question: questionOf({ text: 'Write.', format: 'text' }), book: {} })
    .round(0, [
      { headline: text, text },
      { headline: text, text },
    ])
    .round(1, [
      { headline: text, text },
      { headline: text, text: `${text}!`, points: [point] },
    ])
}
/** What the asker added, which a person's seat then shows. */
const added = (text: string) => sessionOf('Yes.').and({ type: 'asker-said', words: text }).session

export const promptReaders: readonly ForeignReader[] = [
  reads('prompt for a person', text => promptPieces([text]), '<<<a\n', '<<<a\n{"a":"'),
  reads('words of the asker', text => [
    askerPart(added(text), 's1', 2),
    reportFacts(added(text)),
    plainReport(added(text)),
  ]),
  reads('seat that the asker means', text => seatMeant(sessionOf('Yes.').session, text), 'seat '),
  reads('reading of a round', text => readRound.read(reading(text), open, command), 'a '),
  reads('reading of a round, salvaged', text => readRound.salvage?.(reading(text), open, command)),
  reads('prompt of a reading', text => readRound.prompt(sessionOf(text).session, command)),
  reads('kind', text => findKind.read({ kind: text }, open, { type: 'find-kind' })),
  reads(
    'readings',
    text =>
      groupReadings.read({ readings: [{ reading: text, seats: [text, 'A'] }] }, open, {
        type: 'group-readings',
        round: 0,
      }),
    'seat ',
  ),
  reads('prompt of readings', text =>
    groupReadings.prompt(sessionOf(text).session, { type: 'group-readings', round: 0 }),
  ),
  reads('readSharpening', text =>
    readSharpening({ unclear: text, wordings: [{ settles: text, wording: text }] }, open),
  ),
  reads('reportFacts', text => reportFacts(sessionOf(text).session)),
  reads('readingLines', text => readingLines(sessionOf(text).session)),
  reads('objection', objected),
  reads('commentsPart', text => commentsPart(sessionOf(text).session, 's1', 1)),
  reads('answersOfOthers', text => answersOfOthers(sessionOf(text).session, 's1', 1)),
  reads('shortened for a prompt', text => shortened(text, 5_000), '. '),
  reads('sealedPrompt', text =>
    sealedPrompt(table({ question: questionOf({ text }), seats: 1 }).session, 's1'),
  ),
  reads('letters in a prompt', text => sealedPrompt(readBefore(text), 's1')),
  reads('letters in a small prompt', text => sealedPrompt(readBefore(text, true), 's1'), '. '),
  reads('lettersIn', text => lettersIn(bookOf(text).session)),
  reads('book as Markdown', text => bookMarkdown(bookOf(text).events)),
  reads(
    'what a follow-up is told',
    text => {
      const session = { ...sessionOf(text).session, outcome: 'verdict' as const }
      const after = maskedAfter(afterOf(session, 'camps'), session)
      return questionPart({ ...session, after })
    },
    'Seats A, ',
    'Seat A and ',
  ),
  reads(
    'blanks of a template',
    text =>
      filledIn(
        { question: text, options: [text] },
        Object.fromEntries(blanksOf({ question: text }).map(one => [one, text.slice(0, 100)])),
      ),
    '{{a}}',
    '{{',
    '{{a',
  ),
  reads('textPrompt', text => textPrompt(written(text), 's1', 1)),
]
