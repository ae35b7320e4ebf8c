/** What the moderator says of a round or a question, and what seats are shown of each other. */
import { seatMeant } from '../../src/core/log/acts-of-people.ts'
import { roundAt } from '../../src/core/log/state.ts'
import { blanksOf, filledIn } from '../../src/core/question/blanks.ts'
import { promptPieces } from '../../src/core/question/prompt-pieces.ts'
import { questionOf, table } from '../../src/core/testing.ts'
import { afterOf, maskedAfter } from '../../src/core/verdict/carry-over.ts'
import { plainReport } from '../../src/core/verdict/plain-report.ts'
import { askerPart } from '../../src/protocols/asker-words.ts'
import { commentsPart } from '../../src/protocols/comments-on-own.ts'
import { findKind } from '../../src/protocols/moderator/kind.ts'
import { readRound } from '../../src/protocols/moderator/read-round.ts'
import { readingLines } from '../../src/protocols/moderator/reading-lines.ts'
import { groupReadings } from '../../src/protocols/moderator/readings.ts'
import { reportFacts } from '../../src/protocols/moderator/report-facts.ts'
import { objectionLines, objectionTask } from '../../src/protocols/objection.ts'
import { questionPart, shortened } from '../../src/protocols/prompt-parts.ts'
import { sealedPrompt } from '../../src/protocols/sealed-prompt.ts'
import { readSharpening } from '../../src/protocols/sharpen.ts'
import { textPrompt } from '../../src/protocols/text-prompt.ts'
import { answersOfOthers } from '../../src/protocols/whole-answers.ts'
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
