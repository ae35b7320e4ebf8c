/** What looks up a report in the log, and fills it in. */
import { flattened, searched } from '../../src/core/basics.ts'
import type { Happening } from '../../src/core/event.ts'
import { toleranceFrom } from '../../src/core/number.ts'
import { quotesOf } from '../../src/core/question.ts'
import { seatCalled } from '../../src/core/session.ts'
import { isRewritten, readingsOf } from '../../src/count/moves.ts'
import { grantsOf, movedBy, provisionalOf } from '../../src/count/verdict.ts'
import { draftFrom, draftStands, settledReport, textReport } from '../../src/protocols/report.ts'
import { figureProblems, lookupProblems, unprovenSpeakers } from '../../src/report/check.ts'
import {
  claimProblems,
  claimsIn,
  isQuoteOf,
  isUnsure,
  optionProblems,
  patternOf,
  quotationProblems,
  quotes,
  seats,
  sentencesOf,
  speakersIn,
  withoutQuotations,
} from '../../src/report/claims.ts'
import { computedIn, materialOf, withKnownCounts } from '../../src/report/report.ts'
import { reportParts } from '../../src/words/words.ts'
import { answerOf, questionOf, table, yesOrNo } from '../contracts/core-testing.ts'
import { type ForeignReader, reads, sessionOf } from './reader.ts'

const { session } = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No'])
const ranked = table({
  seats: 3,
  question: questionOf({ format: 'ranking', options: ['Rail', 'Road', 'Air'] }),
}).round(0, [
  ['Rail', 'Road', 'Air'],
  ['Rail', 'Road', 'Air'],
  ['Air', 'Road', 'Rail'],
]).session

const draftOf = (text: string) => ({
  answer: text,
  reasons: [{ text, held: { seat: 'A', quote: text } }],
  moved: text,
  counterpoint: { text, held: { seat: text, quote: text } },
})

const drafted = (text: string) => {
  const happening: Happening = {
    type: 'report-drafted',
    round: 1,
    leading: text,
    moved: ['s2'],
    draft: draftOf(text),
  }
  const { events: _events, session: before } = sessionOf(text)
  const { report: _report, ...open } = before
  const { type: _type, round: _round, ...rest } = happening
  return { ...open, drafted: { ...rest, rejected: [] } }
}

const textsOf = (text: string) =>
  table({ seats: 3, question: questionOf({ format: 'text' }) }).round(0, [
    { headline: 'One', text },
    { headline: 'Two', text: `${text} a` },
    { headline: 'Three', text: `b ${text}` },
  ]).session

const attributed = (text: string) => [{ seat: text, quote: text }, ...[{ seat: 'A', quote: text }]]
const claims = ['Seat A, ', 'Seat A convinced ']

export const reportReaders: readonly ForeignReader[] = [
  reads('lookupProblems, attributions', text => lookupProblems(session, '', attributed(text)), 'seat '),
  reads('unprovenSpeakers', text => unprovenSpeakers(session, text, attributed(text)), ...claims),
  reads('claimProblems', text => claimProblems(session, text.slice(0, 30_000)), ...claims),
  reads('speakersIn', text => speakersIn(session, text), ...claims),
  reads('claimsIn', text => claimsIn(session, text.slice(0, 1_000), seats), 'Seat A, '),
  reads('patternOf', text => patternOf(seats).test(text.slice(0, 1_000)), 'Seat A, '),
  reads('isUnsure', text => isUnsure(session, text), 'Perhaps ', 'Seat A '),
  reads('sentencesOf', text => sentencesOf(session, text), '. ', 'Seat A. '),
  reads('figureProblems', text => figureProblems(session, text.slice(0, 30_000)), '1,', '1 000 ', '50 / '),
  reads('optionProblems', text => optionProblems(ranked, text.slice(0, 1_000)), 'Rail is ahead of ', 'Yes '),
  reads('quotationProblems', text => quotationProblems(session, text), '“', '"', 'Seat A says “'),
  reads('withoutQuotations', withoutQuotations, '“', '"', '«'),
  reads('quotes', text => quotes(sessionOf(text.slice(0, 10_000)).session, 's1', text), '“'),
  reads('isQuoteOf', text => isQuoteOf(sessionOf(text).session, 's1', text), 'a'),
  reads('seatCalled', text => seatCalled(session, text), 'seat ', 'Claude '),
  reads('quotesOf', text => quotesOf([text])(text), "'"),
  reads('flattened', flattened, "'", '-', '*a ', 'a* ', '*'),
  reads('searched', searched, '1', '1,', '1.1', '1*', '²'),
  reads('toleranceFrom', toleranceFrom, '1', '~'),
  reads('withKnownCounts', text => withKnownCounts(session, text), '`', '{'),
  reads('materialOf', text => materialOf(sessionOf(text).session)),
  reads('computedIn', text => computedIn(sessionOf(text).session)),
  reads('movedBy and grantsOf', text => [
    movedBy(sessionOf(text).session),
    grantsOf(sessionOf(text).session),
  ]),
  reads('provisionalOf', text => provisionalOf(sessionOf(text).session)),
  reads('readingsOf', text => readingsOf(sessionOf(text).session)),
  reads('isRewritten', text =>
    isRewritten(answerOf(yesOrNo, { text }), answerOf(yesOrNo, { text: `${text} a` })),
  ),
  reads('reportParts', text =>
    reportParts({ answer: text, summary: text, reasons: [{ reason: text }] }, () => text),
  ),
  reads('draftFrom', text =>
    draftFrom({ reasons: [{ seat: text, quote: text, reason: text }], answer: text, moved: text }),
  ),
  reads('draftStands', text => draftStands(drafted(text))),
  reads('settledReport', text => settledReport(drafted(text)), '{', 'seats A'),
  reads('report on texts', text =>
    textReport.read(
      { common: text, each: ['A', 'seat B', text].map(seat => ({ seat, only: text, quote: text })) },
      textsOf(text),
    ),
  ),
  reads('prompt of a report on texts', text => textReport.prompt(textsOf(text))),
]
