/** Every function that reads a text of a model, a server or a file. What is added to the code is added here. */

import { storageWords } from '../../src/backup/backup.ts'
import { maskFor, withNames } from '../../src/core/mask.ts'
import { numberFrom } from '../../src/core/number.ts'
import {
  type Format,
  formats,
  headlineKey,
  normalised,
  optionKey,
  quoteStands,
} from '../../src/core/question.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { optionFrom, rankingFrom, readReply } from '../../src/core/reply.ts'
import type { Session } from '../../src/core/session.ts'
import { creditFor, rightCamps } from '../../src/count/moves.ts'
import { hasSameWording } from '../../src/count/settle.ts'
import { verdictOf } from '../../src/count/verdict.ts'
import { importedLevel } from '../../src/count/verdict-line.ts'
import { richText } from '../../src/exports/html.ts'
import { exporters, importText } from '../../src/exports/index.ts'
import { inline, quoted } from '../../src/exports/markdown.ts'
import { joined, readError, separated, sourceOf } from '../../src/exports/transcript-parts.ts'
import {
  catalogue,
  createCatalogue,
  familyOf,
  nameKey,
  sizeOf,
  undated,
  versionOf,
  wordsOf,
} from '../../src/models/catalogue.ts'
import { refusedField } from '../../src/models/chat.ts'
import { chatReply, thinkBlock } from '../../src/models/chat-reply.ts'
import {
  networkError,
  presentable,
  problemFrom,
  problemIn,
  redacted,
  redactedWriter,
  reportedError,
  retryAfter,
  statusError,
} from '../../src/models/http.ts'
import { PartQueue } from '../../src/models/provider.ts'
import { peerText } from '../../src/protocols/answers.ts'
import { change, check, checkAll, group } from '../../src/protocols/grouping.ts'
import { challenge, digest, ruling } from '../../src/protocols/moderator.ts'
import { onOneLine, wholeSentences } from '../../src/protocols/parts.ts'
import { report } from '../../src/protocols/report.ts'
import { smallPrompt } from '../../src/protocols/small-model.ts'
import { statement } from '../../src/protocols/statements.ts'
import { contradictions, figuresIn, proseProblems, spelledOut } from '../../src/report/check.ts'
import { countStatementsIn } from '../../src/report/claims.ts'
import { placeholderProblems, plainReport, withCounts } from '../../src/report/report.ts'
import { jsonFields, objectsIn } from '../../src/run/reply.ts'
import { driftOf, languageOf } from '../../src/run/seat.ts'
import { below } from '../../src/telemetry/telemetry.ts'
import { questionOf, table, yesOrNo } from '../contracts/core-testing.ts'
import { type ForeignReader, pushed, reads, sessionOf } from './reader.ts'

const secrets = ['sk-aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaab']
const open = table({ seats: 3 }).round(0, ['Build it.', 'Wait.', 'Build it.'])
const closed = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No'])
const number = table({ seats: 2, question: questionOf({ format: 'number', unit: 'km' }) }).round(0, [1, 2])

const shortSessionOf = (text: string) =>
  table({ seats: 1 })
    .round(0, [
      {
        ...{ headline: text, reasoning: text, reading: text, decision: 'conceded' },
        points: [{ seat: 's1', quote: text, verified: true, judgement: 'holds', why: text }],
      },
    ])
    .and({ type: 'report-written', by: 'moderator', report: { answer: text, summary: text } })

const asked = (format: Format) =>
  questionOf({ format, options: format === 'choice' || format === 'ranking' ? ['Yes', 'No', 'Perhaps'] : [] })

const replyOf = (text: string): Record<string, unknown> => ({
  ...{ headline: text, reasoning: text, confidence: text, wouldChangeMind: text },
  ...{ choice: text, ranking: text, number: text, decision: 'change', peer: text, quote: text },
  ...{ reading: text, text, low: text, high: text, point: 1 },
  points: [{ seat: text, quote: text, judgement: text, why: text }],
})

const statements = ['5 of 6 models ', 'all six models ', 'most models ']
const importing = { newId: () => 'id', clock: () => 0 }
const known = createCatalogue(catalogue().models.slice(0, 200))
const listed = (name: string) => known.with([{ ...known.models[0]!, id: `lab/${name}`, model: name, name }])

const core: readonly ForeignReader[] = [
  reads('countStatementsIn', countStatementsIn, ...statements),
  reads('contradictions', text => contradictions(text, verdictOf(closed.session))),
  reads('placeholderProblems', text => placeholderProblems(closed.session, text)),
  reads('withCounts', text => withCounts(closed.session, text)),
  reads('withNames', text => withNames(closed.session, text), 'seats A'),
  reads('maskFor', text => maskFor(closed.session)(text), 'Claude'),
  reads('maskFor, a name', text => maskFor(table({ seats: [named(text)] }).session)('Claude a a a a')),
  reads('normalised', normalised, 'a ', ' -'),
  reads('headlineKey', headlineKey, 'A', '5 mW', '. '),
  reads('quoteStands, quote', text => quoteStands(text, ['The bridge is too old.']), 'a'),
  reads('quoteStands, text', text => quoteStands('The bridge is too old.', [text])),
  reads('creditFor', text => creditFor(open.session, 1, 's2', { peer: text, quote: text }), 'seat '),
  reads('hasSameWording', text => hasSameWording(text, `${text} a`)),
  reads('numberFrom', text => numberFrom(text, 'km'), '~', '1', '1 million', '-'),
  reads('optionFrom', text => optionFrom(text, yesOrNo.options), '1', '1.', 'option '),
  reads('rankingFrom', text => rankingFrom(text, yesOrNo.options), '1.', '1. ', 'a > '),
  reads('optionKey', optionKey, 'a.', '*', '(', 'a, '),
  ...formats.map(format =>
    reads(`readReply, ${format}`, text => readReply(replyOf(text), asked(format), true), '1'),
  ),
  reads('rightCamps, open', text => rightCamps(open.session, text)),
  reads('rightCamps, number', text => rightCamps(number.session, text), '1', '~'),
  reads('importedLevel', text => importedLevel(text, 3), 'All 3 models ', 'Both models ', 'Tie: '),
  reads('verdictOf', text => verdictOf(sessionOf(text).session)),
  reads(
    'proseProblems',
    text => proseProblems(closed.session, text),
    'Seat A, ',
    "Seat A's ",
    '1,',
    '“',
    '1 000 ',
  ),
  reads('figuresIn', text => figuresIn(text), '1,', '1 000 ', '1.', '%'),
  reads('spelledOut', text => spelledOut(text), 'twenty ', '1/'),
  reads('plainReport', text => plainReport(sessionOf(text).session)),
]

const named = (name: string) => ({ id: 's1', alias: 'A', name, model: `lab/${name}`, maker: name })

const command = { round: 0 }
const steps: readonly ForeignReader[] = [
  reads(
    'report',
    text => report.read({ answer: text, summary: text }, closed.session, { type: 'write-report' }),
    ...statements,
  ),
  reads('report with reasons', text =>
    report.read(
      { reasons: [{ seat: 'A', quote: text, reason: text }], answer: text, moved: text },
      closed.session,
      { type: 'write-report' },
    ),
  ),
  reads('challenge', text =>
    challenge.read({ objection: text, check: text }, open.session, { type: 'challenge', ...command }),
  ),
  reads('digest', text => digest.read(digestOf(text), open.session, { type: 'write-digest', ...command })),
  reads('ruling', text =>
    ruling.read({ holds: 'neither', reason: text }, open.session, { type: 'judge', ...command, order: 0 }),
  ),
  reads('change', text =>
    change.read({ says: 'held', quote: text }, open.session, {
      type: 'check-change',
      ...command,
      seat: 's1',
    }),
  ),
  reads('check', text =>
    check.read({ relation: text, reason: text }, open.session, {
      type: 'check-membership',
      ...command,
      seat: 's1',
      exemplar: 's2@0',
    }),
  ),
  reads('check all', text =>
    checkAll.read({ p1: text }, open.session, {
      type: 'check-memberships',
      ...command,
      pairs: [{ seat: 's1', exemplar: 's2@0' }],
    }),
  ),
  reads('group', text =>
    group.read({ A: text, B: text, C: text, positions: [{ id: text, label: text }] }, open.session, {
      type: 'group-answers',
      ...command,
      pass: 0,
    }),
  ),
  reads('statement', text =>
    statement.read({ argument: text, question: text }, open.session, {
      type: 'make-statement',
      ...command,
      turn: 0,
      seat: 's1',
    }),
  ),
  reads('peerText', text =>
    peerText(open.session, 's1', { headline: text, reasoning: text, confidence: null, language: null }),
  ),
  reads('smallPrompt', text => smallPrompt(smallSession(text), 's1', 1)),
  reads('wholeSentences', text => wholeSentences(text, 1_600)),
  reads('onOneLine', onOneLine),
]

const smallSession = (text: string): Session => sessionOf(text).session

const digestOf = (text: string) => ({
  positions: [
    {
      position: text,
      arguments: Array.from({ length: text.length / 100 }, () => ({ seat: 'A', quote: text.slice(0, 100) })),
    },
  ],
})

const servers: readonly ForeignReader[] = [
  reads('redacted', text => redacted(text, secrets), 'Bearer', 'api-key', 'a', '*'),
  reads('redactedWriter', text => {
    const writer = redactedWriter(secrets, () => {})
    pushed(text, piece => writer.write('text', piece))
    writer.flush()
  }),
  reads('problemFrom', problemFrom, '<html>', '<head>', '<script>', '{"error":{"message":"'),
  reads(
    'problemIn',
    text => problemIn({ error: { message: text, details: [{ reason: text }] } }),
    'try again in ',
  ),
  reads('presentable', text => presentable(text, secrets)),
  reads('statusError', text => statusError(400, { location: text }, problemIn({ error: text }), secrets)),
  reads('reportedError', text => reportedError(problemIn({ error: { message: text, code: text } }), secrets)),
  reads('networkError', text => networkError(new Error(text), new URL('http://lab.invalid'), false, secrets)),
  reads('retryAfter', text => retryAfter({ 'retry-after': text, 'retry-after-ms': text }, 0), '1'),
  reads(
    'refusedField',
    text => refusedField({ temperature: 1 }, 400, problemIn({ error: text })),
    'temperature only ',
  ),
  reads(
    'chatReply',
    text => {
      const reply = chatReply(new PartQueue(() => {}), secrets)
      pushed(text, piece => reply.data(Buffer.from(piece)))
      reply.end()
    },
    '<',
    'data: ',
  ),
  reads(
    'thinkBlock',
    text => {
      const block = thinkBlock(() => {})
      pushed(text, piece => block.write('text', piece))
      block.flush()
    },
    '<think>',
  ),
]

const names: readonly ForeignReader[] = [
  reads('wordsOf', wordsOf, 'a'),
  reads('nameKey', nameKey, 'a'),
  reads('familyOf', familyOf, '1'),
  reads('versionOf', versionOf, '1'),
  reads('sizeOf', sizeOf, '1'),
  reads('undated', undated),
  reads('catalogue.find', text => known.find(text), 'openai/'),
  reads('catalogue.nearest', text => known.nearest(text, 3), 'openai/'),
  reads('catalogue.search', text => known.search(text)),
  reads('nearest, listed', text => createCatalogue(listed(text).models.slice(-2)).nearest('gpt-5.5', 3)),
]

const detail = (prefix: string) =>
  `AI Roundtable Open Poll · 1 model\nQ\nAnswer: x (y)\nModel Responses\nA\nAnswer: x\n${prefix}`

const files: readonly ForeignReader[] = [
  reads(
    'importText',
    text => importText(text, importing),
    'AI Roundtable Open Debate · 3 models\n',
    '{',
    '[',
    '{"version":1,"events":',
  ),
  reads(
    'importText, what a seat says besides its answer',
    text => importText(`${detail(text)}\nFinal Summary\ns\ny`, importing),
    'Reads the question as: ',
    'Its range: from ',
    'What became of its answer: kept (',
    'On model 1, holds, quote found: ',
  ),
  reads('sourceOf', sourceOf, 'Loading session...\n'),
  reads('separated and joined', text => joined(separated(text, '|'), '|')),
  reads('readError', readError, 'timed out'),
  reads('richText', text => richText(text, 'en'), '> ', '[a]: '),
  reads('quoted', quoted, '[', '](', '> '),
  reads('inline', inline),
  ...exporters.map(exporter =>
    reads(`export, ${exporter.id}`, text => exporter.write(shortSessionOf(text).events)),
  ),
]

const outside: readonly ForeignReader[] = [
  reads('storageWords', storageWords, '<Message>', '<Message'),
  reads('below', below, '00-', '00-0af7651916cd43dd8448eb211c80319c-'),
]

const replies: readonly ForeignReader[] = [
  reads(
    'objectsIn',
    objectsIn,
    '{"a":"',
    '{"a":',
    '```json\n{',
    '{"a":[{',
    '{//',
    '{"a":""',
    '{"a":1,',
    '<think>',
  ),
  reads(
    'jsonFields',
    text => {
      const fields = jsonFields(['headline'], () => {})
      pushed(text, piece => fields.push(piece))
    },
    '{"headline":"',
    '{"',
  ),
  reads('isRefusal', isRefusal, 'I’m sorry', 'I cannot '),
  reads('languageOf', languageOf, '```'),
  reads('driftOf', text => driftOf(text, 'en'), '```'),
]

export const foreignReaders: readonly ForeignReader[] = [
  ...core,
  ...steps,
  ...servers,
  ...names,
  ...files,
  ...outside,
  ...replies,
]
