/** A session in every state that a page must show: every level, every end, every format. */
import type { Happening, Outcome } from '../../src/core/event.ts'
import type { Question } from '../../src/core/question.ts'
import { transcript } from '../../src/exports/transcript.ts'
import { plainReport } from '../../src/report/report.ts'
import { abstained, questionOf, silent, type TestLog, table, yesOrNo } from '../contracts/core-testing.ts'
import { sampleLog } from '../sample-session.ts'
import { fileOf, hostileLog, largeLog } from './hostile.ts'

const asked = (id: string, seats: number, question: Question = yesOrNo): TestLog =>
  table({ id, seats, question, language: 'en' })

const ended = (log: TestLog, outcome: Outcome = 'verdict'): string =>
  fileOf(
    log.and(
      { type: 'report-written', by: 'code', report: plainReport(log.session) },
      { type: 'session-finished', outcome },
    ).events,
  )

const cited = (choice: string, seat: string) => ({
  ...{ headline: choice, choice },
  credit: { seat, quote: 'Because of reasons', verified: true },
})

const options = ['Go', 'Rust', 'Python', 'C']
const ranking = questionOf({ text: 'Which language for a small tool?', format: 'ranking', options })
const distance = questionOf({ text: 'How far is it?', format: 'number', unit: 'km' })
const tuners = questionOf({ text: 'How many tuners?', format: 'number', unit: 'people', scale: 'log' })
const open = questionOf({ format: 'open' })
const colours = questionOf({ text: 'Which colour?', format: 'choice', options: ['Red', 'Blue', 'Green'] })

const arabic = 'هذا الجسر مكلف جدا، والنهر يفيض كل عام في هذا المكان'

const priced = (round: number, prices: Readonly<Record<string, number>>): Happening => ({
  type: 'digest-written',
  round,
  by: 'code',
  digest: {
    positions: [],
    figures: {
      kind: 'prices',
      prices: Object.entries(prices).map(([option, price]) => ({ option, price })),
      stakes: [],
    },
  },
})

/** Files and transcripts that can be imported, by the state that they show. */
export const sessionStates = (): Readonly<Record<string, string>> => ({
  unanimous: ended(
    asked('unanimous', 3)
      .round(0, ['Yes', 'Yes', 'No'])
      .round(1, ['Yes', 'Yes', cited('Yes', 's1')]),
  ),
  large: ended(
    asked('large-majority', 6)
      .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'])
      .round(1, ['Yes', 'Yes', 'Yes', 'Yes', cited('Yes', 's1'), 'No'])
      .round(2, ['Yes', 'Yes', 'Yes', 'Yes', 'Yes', 'No']),
  ),
  majority: ended(asked('majority', 5).round(0, ['Yes', 'Yes', 'Yes', silent(), abstained()])),
  plurality: ended(asked('plurality', 6, colours).round(0, ['Red', 'Red', 'Red', 'Blue', 'Blue', 'Green'])),
  'plurality-open': ended(
    asked('plurality-open', 4, open)
      .round(0, ['Build it now', 'Build it now', 'Wait a year', 'Never build it'])
      .labels(0, ['Build it', 'Build it', 'Wait', 'Never'])
      .settle('different'),
  ),
  tie: ended(asked('tie', 6).round(0, ['Yes', 'Yes', 'Yes', 'No', 'No', 'No'])),
  split: ended(
    asked('split', 3, open)
      .round(0, ['Build it now', 'Wait a year', 'Never build it'])
      .labels(0, ['Build it', 'Wait', 'Never'])
      .settle('different'),
  ),
  'no-quorum': ended(
    asked('no-quorum', 6).round(0, ['Yes', 'Yes', silent(), silent(), silent(), abstained()]),
    'no-quorum',
  ),
  budget: ended(
    asked('budget', 6)
      .round(0, ['Yes', 'Yes', 'Yes', 'Yes', 'No', 'No'])
      .round(1, ['No', 'No'])
      .stop('budget'),
    'budget',
  ),
  'budget-early': ended(asked('budget-early', 6).round(0, ['Yes']).stop('budget'), 'budget'),
  stopped: ended(asked('stopped', 6).round(0, ['Yes', 'Yes']).stop('interrupted'), 'interrupted'),
  failed: ended(
    asked('failed', 3)
      .round(0, ['Yes'])
      .and({ type: 'session-stopped', reason: 'failed', words: 'The disk is full.' }),
    'failed',
  ),
  ranking: ended(
    asked('ranking', 3, ranking)
      .round(0, [options, ['Rust', 'Go', 'Python', 'C'], ['Python', 'Go', 'Rust', 'C']])
      .round(1, [options, options, ['Python', 'Go', 'Rust', 'C']]),
  ),
  number: ended(
    asked('number', 6, distance)
      .round(0, [400, 100, 105, 110, 90, 250])
      .round(1, [105, 100, 105, 110, 90, 120]),
  ),
  magnitudes: ended(
    asked('magnitudes', 6, tuners)
      .round(0, [80, 900, 120, 10_000, 90, 250])
      .round(1, [85, 300, 120, 5_000, 90, 120]),
  ),
  market: ended(
    asked('market', 3)
      .round(0, ['Yes', 'Yes', 'No'])
      .and(priced(0, { Yes: 0.6, No: 0.4 }))
      .round(1, ['Yes', 'Yes', 'No'])
      .and(priced(1, { Yes: 0.7, No: 0.3 })),
  ),
  'market-level': ended(
    asked('market-level', 3, colours)
      .round(0, ['Red', 'Red', 'Red'])
      .and(priced(0, { Red: 0.66, Blue: 0.17, Green: 0.17 })),
  ),
  text: ended(
    asked('text', 2, questionOf({ text: 'Write a line.', format: 'text' })).round(0, [
      { headline: 'About rivers', text: 'The river floods.' },
      { headline: 'About bridges', text: 'The bridge stands.' },
    ]),
  ),
  arabic: ended(
    asked('arabic', 3).round(0, ['Yes', 'Yes', { headline: arabic, choice: 'No', reasoning: arabic }]),
  ),
  fifty: fileOf(largeLog()),
  hostile: fileOf(hostileLog()),
  imported: transcript().write(sampleLog, {}),
  running: fileOf(asked('running', 6).round(0, ['Yes', 'Yes']).events),
})
