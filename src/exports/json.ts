/** The whole session as JSON, every round included. Reading it back gives the same log. */

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { modelErrorSchema, UsageError } from '../core/basics.ts'
import {
  changeWords,
  digestSchema,
  logSchema,
  outcomes,
  reportSchema,
  type SessionEvent,
  stopReasons,
  timingSchema,
  usageSchema,
} from '../core/event.ts'
import { excerptsSchema, type StoredFile, storedFileSchema } from '../core/excerpts.ts'
import { fold, moderatorUsageOf, usageByRound, usageBySeat, usageOf } from '../core/fold.ts'
import { deepest, kindSaid, kindSources, kinds, pathText } from '../core/form.ts'
import { checkLog } from '../core/log.ts'
import {
  afterSchema,
  bookSchema,
  budgetSchema,
  forkedFromSchema,
  importedSchema,
  lettersReadSchema,
  linkKinds,
  seatSchema,
} from '../core/opening.ts'
import {
  answerSchema,
  attachmentSchema,
  creditSchema,
  formats,
  lengthSchema,
  sourceSchema,
  toleranceSchema,
} from '../core/question.ts'
import type { HandedIn, Round, Session } from '../core/session.ts'
import { directions, moveOf, moves, readingsOf, resolutionOf } from '../count/moves.ts'
import { groupingOf } from '../count/settle.ts'
import { howOftenRight, sealedSplits } from '../count/splits.ts'
import { levels } from '../count/tally.ts'
import { citationCountsOf, influenceOf, provisionalOf, verdictOf } from '../count/verdict.ts'
import { knownThread, type ThreadSession } from '../words/asking.ts'
import { citationHead } from '../words/moves.ts'
import type { Exporter } from './exporter.ts'
import { transcriptCheckOf } from './transcript-parts.ts'

// documentSchema: The format of a session's JSON document, version 1. `docs/session-json.md` describes it.

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

const campSchema = z.object({
  id: z.string(),
  label: z.string(),
  exemplar: z.string(),
  headline: z.string(),
  seats: list(z.string()),
  qualified: list(z.string()),
})

const figureSchema = z.object({
  about: z.number(),
  step: z.number(),
  low: z.number(),
  high: z.number(),
  range: z.enum(['all', 'middle half']),
})

const numberToleranceSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('factor'), factor: z.number() }),
  z.object({ by: z.literal('share'), share: z.number() }),
  z.object({ by: z.literal('amount'), amount: z.number(), given: z.boolean() }),
])

const tallySchema = z.object({
  round: z.number(),
  level: z.enum(levels).nullable(),
  agree: z.number(),
  of: z.number(),
  /** Seats that answered in this round. */
  answered: z.number(),
  /** Seats that didn't, and whose answer of the round named is counted. Absent: none. */
  kept: list(z.object({ seat: z.string(), round: z.number() })).optional(),
  leading: z.string().nullable(),
  camps: list(campSchema),
  /** Pairs of camps of which neither denies the other. */
  compatible: list(z.tuple([z.string(), z.string()]).readonly()).optional(),
  silent: list(z.string()),
  abstained: list(z.string()),
  /** What all rankings come to: places from first to last, with the items that share them. */
  ranking: z
    .object({ places: list(list(z.string())), cycles: list(list(z.string())) })
    // Documents of before have an order without ties.
    .or(list(z.string()))
    .optional(),
  median: z.number().optional(),
  figure: figureSchema.optional(),
  tolerance: numberToleranceSchema.optional(),
})

const flipSchema = z.object({
  seat: z.string(),
  round: z.number(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  direction: z.enum(directions).nullable().default(null),
  reason: answerSchema.shape.reason.unwrap().nullable(),
  credit: creditSchema.nullable(),
  /** How many of the passages that its new answer cites code did not find. Absent: none. */
  unsupported: z.number().optional(),
})

const partCountSchema = z.object({
  of: z.number(),
  answered: z.number(),
  agree: z.number(),
  leading: z.string().nullable(),
})

const verdictSchema = z.object({
  level: z.enum(levels).nullable(),
  agree: z.number(),
  of: z.number(),
  answered: z.number(),
  leading: z.string().nullable(),
  dissent: list(z.string()),
  sealed: tallySchema.nullable(),
  final: tallySchema.nullable(),
  flips: z.number(),
  ledger: list(flipSchema),
  rule: z.string().nullable().default(null),
  asides: list(z.string()).default([]),
  flags: list(z.string()),
  /** People and models counted apart, if a person holds a seat. */
  apart: z.object({ people: partCountSchema, models: partCountSchema }).optional(),
  line: z.string(),
})

const howOftenRightSchema = z.object({
  split: z.enum(sealedSplits),
  right: z.number(),
  low: z.number(),
  high: z.number(),
  recorded: z.object({ right: z.number(), tables: z.number() }),
  own: z.object({ right: z.number(), of: z.number() }),
  source: z.string(),
})

const movedSchema = z.object({
  seat: z.string(),
  by: z.string(),
  round: z.number(),
  quote: z.string(),
  verified: z.boolean(),
})

const influenceSchema = z.object({
  moved: list(movedSchema),
  /** Points that seats granted each other without changing their mind. */
  granted: list(movedSchema).default([]),
  pull: list(
    z.object({ seat: z.string(), exposures: z.number(), adopters: z.number(), credited: z.number() }),
  ),
})

const checkSchema = z.object({
  moderator: z.string(),
  claimed: z.object({ line: z.string() }),
  computed: z.object({ line: z.string(), level: z.enum(levels).nullable(), agree: z.number() }).nullable(),
  contested: z.boolean(),
  seats: list(
    z.object({
      seat: z.string(),
      claimed: z.boolean(),
      says: z.enum(changeWords).nullable(),
      quote: z.string(),
      holds: z.boolean().nullable(),
    }),
  ),
})

const usageSumSchema = usageSchema.extend({
  cachedTokens: z.number(),
  cacheWriteTokens: z.number(),
  reasoningTokens: z.number(),
})

const standing = { seat: z.string(), move: z.enum(moves).nullable() }
const spent = {
  /** Who held the seat then, if another model holds it now. */
  by: z.object({ name: z.string(), model: z.string() }).optional(),
  /** It came after the round had closed without it: the index of the latest round at that time. */
  late: z.number().int().nonnegative().optional(),
  /** It was copied from the session that this one is a fork of, and is counted there. */
  copied: z.literal(true).optional(),
  usage: usageSchema.optional(),
  timing: timingSchema.optional(),
}

export const handedInSchema = z.discriminatedUnion('status', [
  z.object({
    ...standing,
    status: z.literal('given'),
    ...answerSchema.shape,
    reason: answerSchema.shape.reason.unwrap().nullable(),
    credit: creditSchema.nullable(),
    ...spent,
  }),
  z.object({ ...standing, status: z.literal('silent'), error: modelErrorSchema, ...spent }),
  z.object({ ...standing, status: z.literal('abstained'), words: z.string(), ...spent }),
])

/** An advocate's turn, or the error that kept it silent. */
const statementSchema = z.object({
  turn: z.number().int().nonnegative(),
  seat: z.string(),
  argument: z.string().optional(),
  question: z.string().nullable().optional(),
  /** The other side convinced it. */
  concedes: z.literal(true).optional(),
  error: modelErrorSchema.optional(),
  ...spent,
})
const rulingSchema = z.union([z.object({ camp: z.string().nullable(), words: z.string() }), modelErrorSchema])

const roundSchema = z.object({
  index: z.number().int().nonnegative(),
  sealed: z.boolean(),
  answers: list(handedInSchema),
  camps: list(campSchema),
  contested: z.boolean(),
  digest: digestSchema.optional(),
  /** Absent: nobody was asked to object. Null: nothing checkable was found. */
  objection: z.string().nullable().optional(),
  statements: list(statementSchema).optional(),
  /** In the two orders of the sides; null: not given. */
  rulings: list(rulingSchema.nullable()).optional(),
  /** What the asker added during or after the round; `to` is a seat's id if it was for that seat alone. */
  said: list(z.object({ words: z.string(), to: z.string().optional(), at: z.string() })).optional(),
})

export const documentSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  openedAt: z.string(),
  question: z.string(),
  format: z.enum(formats),
  options: list(z.string()),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log']).optional(),
  tolerance: toleranceSchema.optional(),
  length: lengthSchema.optional(),
  camps: z.literal('intent').optional(),
  attachments: list(attachmentSchema),
  instruction: z.string().optional(),
  /** What kind of question it is, and who says so. Absent: nobody does. */
  kind: z.enum(kinds).optional(),
  kindBy: z.enum(kindSources).optional(),
  /** How often tables with such a sealed vote were right. Absent for opinions, and if nothing is known. */
  howOftenRight: howOftenRightSchema.optional(),
  /** The ways in which seats read the question, if there is more than one, with the ids of the seats. */
  readings: list(z.object({ reading: z.string(), seats: list(z.string()) })).optional(),
  protocol: z.string(),
  roundsLimit: z.number(),
  names: z.enum(['hidden', 'shown']),
  language: z.string().nullable(),
  seed: z.string(),
  moderator: z.string().nullable(),
  /** Seconds for one answer. */
  deadline: z.number(),
  /** How many times as long as the others a seat could take before the table went on without it. */
  patience: z.number().optional(),
  budget: budgetSchema.optional(),
  seats: list(seatSchema),
  rounds: list(roundSchema),
  verdict: verdictSchema,
  /** While the session runs: the count so far, which may still change. */
  provisional: z
    .object({
      round: z.number().int().nonnegative(),
      level: z.enum(levels).nullable(),
      agree: z.number(),
      of: z.number(),
      line: z.string(),
      /** Seats are still answering this round: those that haven't count with what they said before. */
      running: z.literal(true).optional(),
      /** Nobody has compared the answers yet, so there is nothing to count but answers. */
      uncompared: z.boolean(),
      /** Who belongs to which camp is still being checked. */
      unchecked: z.boolean(),
    })
    .optional(),
  /** Documents of earlier versions have none. */
  influence: influenceSchema.default({ moved: [], granted: [], pull: [] }),
  /** How many passages of exhibits each seat cited, and how many of them stand. Absent: nobody was asked to cite. */
  /** What one search of the web found for all seats. */
  sources: list(sourceSchema).optional(),
  /** How the web was searched. Absent: nobody searched. */
  search: z.enum(['shared', 'native']).optional(),
  /** Why the search failed. */
  searchFailed: modelErrorSchema.optional(),
  citations: list(z.object({ seat: z.string(), cited: z.number(), standing: z.number() })).optional(),
  /** The passages of the exhibits that seats got, because the whole didn't fit a model. Absent: they got all. */
  excerpts: excerptsSchema.optional(),
  report: reportSchema
    .extend({ by: z.enum(['moderator', 'code']), rejected: list(z.string()).optional() })
    .nullable(),
  usage: usageSumSchema,
  usageBySeat: z.record(z.string(), usageSumSchema),
  usageByRound: list(usageSumSchema.extend({ round: z.number() })),
  moderatorUsage: usageSumSchema,
  /** Absent while the session runs. */
  outcome: z.enum(outcomes).optional(),
  stopped: z.object({ reason: z.enum(stopReasons), words: z.string() }).optional(),
  /** What the moderator could not do. */
  failures: list(z.object({ task: z.string(), round: z.number(), error: modelErrorSchema })),
  imported: importedSchema.optional(),
  /** The session is a book of letters. */
  book: bookSchema.optional(),
  /** Letters that seats read before the sealed round. */
  letters: lettersReadSchema.optional(),
  /** What an imported transcript claims beside what its texts say, if a moderator read them. */
  check: checkSchema.optional(),
  /** The answer that turned out to be right, and the ids of the camps that had said so. */
  resolved: z.object({ answer: z.string(), camps: list(z.string()), at: z.string() }).optional(),
  /** The session that this one asks on after, and what seats were told of it. */
  after: afterSchema.optional(),
  /** The session that this one is a fork of; with a round, everything up to its close is copied from there. */
  forkedFrom: forkedFromSchema.optional(),
  /** Follow-ups and forks that belong together, the session itself among them. Absent if it stands alone. */
  thread: list(
    z.object({
      id: z.string(),
      question: z.string(),
      line: z.string().nullable(),
      parent: z.string().nullable(),
      link: z.enum(linkKinds).nullable(),
    }),
  ).optional(),
  /** The bytes of the exhibits, in an export. */
  files: list(storedFileSchema).optional(),
  /** The log itself: all of the above is computed from it, and an import reads nothing else. */
  events: logSchema.readonly(),
})

export type SessionDocument = z.infer<typeof documentSchema>
export type HandedInDocument = z.infer<typeof handedInSchema>

// document: The whole session as one plain object: what `--json` prints and what the library's result is.

export const documentVersion = 1

const handedInDocument = (
  session: Session,
  round: Round,
  seat: string,
  handedIn: HandedIn,
): HandedInDocument => {
  const { usage, timing, by, late, copied } = handedIn
  const move = moveOf(session, round, seat)
  const spent = {
    ...(by && { by }),
    ...(late !== undefined && { late }),
    ...(copied && { copied }),
    ...(usage && { usage }),
    ...(timing && { timing }),
  }
  switch (handedIn.status) {
    case 'given': {
      const { reason = null, credit = null, ...answer } = handedIn.answer
      return { seat, status: 'given', ...answer, move, reason, credit, ...spent }
    }
    case 'silent':
      return { seat, status: 'silent', move, error: handedIn.error, ...spent }
    case 'abstained':
      return { seat, status: 'abstained', move, words: handedIn.words, ...spent }
    default:
      return handedIn satisfies never
  }
}

/** Seats that are still being asked have no entry. */
const roundDocument = (session: Session, round: Round): SessionDocument['rounds'][number] => {
  const { camps, contested } = groupingOf(session, round)
  return {
    index: round.index,
    sealed: round.sealed,
    answers: session.seats.flatMap(({ id }) => {
      const handedIn = round.handedIn[id]
      return handedIn ? [handedInDocument(session, round, id, handedIn)] : []
    }),
    camps,
    contested,
    ...(round.digest && { digest: round.digest }),
    ...(round.objection !== undefined && { objection: round.objection }),
    ...(round.statements && { statements: round.statements }),
    ...(round.rulings && { rulings: round.rulings.map(ruling => ruling ?? null) }),
    ...(round.said && { said: round.said }),
  }
}

const questionPart = ({ question }: Session) => ({
  question: question.text,
  format: question.format,
  options: question.options,
  ...(question.unit !== undefined && { unit: question.unit }),
  ...(question.format === 'number' && { scale: question.scale }),
  ...(question.tolerance !== undefined && { tolerance: question.tolerance }),
  ...(question.length !== undefined && { length: question.length }),
  ...(question.camps && { camps: question.camps }),
  attachments: question.attachments,
  ...(question.instruction && { instruction: question.instruction }),
})

const kindPart = (session: Session): Pick<SessionDocument, 'kind' | 'kindBy'> => {
  const said = kindSaid(session)
  return said ? { kind: said.kind, kindBy: said.by } : {}
}

/** One reading, or none: it doesn't matter how the question is read. */
const readingPart = (session: Session): Pick<SessionDocument, 'readings'> => {
  const readings = readingsOf(session)
  return readings.length > 1 ? { readings } : {}
}

const reportPart = ({ report, reportBy, rejectedReports }: Session): SessionDocument['report'] =>
  report
    ? {
        ...report,
        by: reportBy ?? 'code',
        ...(rejectedReports.length > 0 && { rejected: rejectedReports }),
      }
    : null

/** Until the session is over: its verdict so far. */
const provisionalPart = (session: Session): Pick<SessionDocument, 'provisional'> => {
  const found = provisionalOf(session)
  if (!found) return {}
  const { round, tally, running, line, uncompared, unchecked } = found
  const { agree, of } = tally
  const level = uncompared ? null : tally.level
  const state = { ...(running && { running }), uncompared, unchecked }
  return { provisional: { round: round.index, level, agree, of, line, ...state } }
}

const bookPart = ({ book, letters }: Session): Pick<SessionDocument, 'book' | 'letters'> => ({
  ...(book && { book }),
  ...(letters && { letters }),
})

const threadPart = (
  session: Session,
  thread: readonly ThreadSession[] | undefined,
): Pick<SessionDocument, 'thread'> => {
  const { id, question, after, forkedFrom, outcome } = session
  const line = outcome ? verdictOf(session).line : null
  const whole = thread ?? knownThread({ id, question: question.text, line, after, forkedFrom })
  if (whole.length < 2) return {}
  return {
    thread: whole.map(one => ({
      id: one.id,
      question: one.question,
      line: one.line,
      parent: one.parent,
      link: one.link,
    })),
  }
}

export const documentOf = (
  events: readonly SessionEvent[],
  thread?: readonly ThreadSession[],
): SessionDocument => {
  const session = fold(events)
  const check = transcriptCheckOf(session)
  const resolved = resolutionOf(session)
  const signal = howOftenRight(session)
  return {
    version: documentVersion,
    id: session.id,
    openedAt: session.openedAt,
    ...questionPart(session),
    ...kindPart(session),
    ...(signal && { howOftenRight: signal }),
    ...readingPart(session),
    protocol: session.protocol,
    roundsLimit: session.rounds,
    names: session.names,
    language: session.language,
    seed: session.seed,
    moderator: session.moderator,
    deadline: session.deadline,
    ...(session.patience !== undefined && { patience: session.patience }),
    ...(session.budget && { budget: session.budget }),
    seats: session.seats,
    rounds: session.roundsSoFar.map(round => roundDocument(session, round)),
    verdict: verdictOf(session),
    ...provisionalPart(session),
    influence: influenceOf(session),
    ...(session.citations && { citations: citationCountsOf(session) }),
    ...(session.excerpts && { excerpts: session.excerpts }),
    ...(session.sources && { sources: session.sources }),
    ...(session.search && { search: session.search }),
    ...(session.searchFailed && { searchFailed: session.searchFailed }),
    report: reportPart(session),
    usage: usageOf(session),
    usageBySeat: usageBySeat(session),
    usageByRound: usageByRound(session),
    moderatorUsage: moderatorUsageOf(session),
    ...(session.outcome && { outcome: session.outcome }),
    ...(session.stopped && { stopped: session.stopped }),
    failures: session.failures,
    ...(session.imported && { imported: session.imported }),
    ...bookPart(session),
    ...(check && { check }),
    ...(resolved && { resolved }),
    ...(session.after && { after: session.after }),
    ...(session.forkedFrom && { forkedFrom: session.forkedFrom }),
    ...threadPart(session, thread),
    events,
  }
}

// citationTexts: The citations of a session, as exports write them.

interface CitationText {
  readonly head: string
  readonly words: string
}

/** The passages that an answer cites, and whether they stand. */
export const citationsOf = (
  { attachments }: SessionDocument,
  { citations = [] }: HandedInDocument & { status: 'given' },
): CitationText[] => citations.map(one => ({ head: citationHead(one, attachments), words: one.quote }))

// importedFiles: The files that a document brings along.

const holder = z.object({ files: z.array(storedFileSchema).max(100).optional() })

const hashOf = (data: string): string =>
  createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')

/** Only those that the log names, and whose bytes are what it says. The text must have been imported before. */
export const importedFiles = (text: string, [first]: readonly SessionEvent[]): StoredFile[] => {
  if (first?.type !== 'session-opened' || !/^\uFEFF?\s*\{/.test(text)) return []
  const named = new Map(first.question.attachments.map(({ sha256, media }) => [sha256, media]))
  const { files = [] } = holder.parse(JSON.parse(text.replace(/^\uFEFF/, '')))
  return files
    .filter(({ sha256, data }) => named.has(sha256) && hashOf(data) === sha256)
    .map(({ sha256, data, media }) => ({ sha256, data, media: named.get(sha256) ?? media }))
}

// parsing: Where a text stops being JSON.

const messageOf = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Some of the parser's messages don't say where: then it is the shortest beginning that fails that way. */
const failsAt = (text: string, message: string): number => {
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  if (!message.startsWith('Unexpected token')) return text.length
  let [fine, broken] = [0, text.length]
  while (broken - fine > 1) {
    const middle = Math.floor((fine + broken) / 2)
    if (messageOf(text.slice(0, middle))?.startsWith('Unexpected token')) broken = middle
    else fine = middle
  }
  return fine
}

const parsed = (text: string): unknown => {
  const message = messageOf(text)
  if (message === undefined) return JSON.parse(text)
  const before = text.slice(0, failsAt(text, message)).split('\n')
  const reason = message.replace(/,? ?(?:\.\.\.)?".*$| at position .*$/s, '')
  throw new UsageError(`Line ${before.length}, column ${before.at(-1)!.length + 1}: ${reason}.`)
}

/** The checked events have their fields in another order; as written, a second export is the same file. */
const isSame = (written: unknown, checked: SessionEvent[]): written is SessionEvent[] =>
  isDeepStrictEqual(written, checked)

const read = (text: string): SessionEvent[] => {
  const value = parsed(text.replace(/^\uFEFF/, ''))
  const version = value instanceof Object && 'version' in value ? value.version : undefined
  if (typeof version === 'number' && version > documentVersion) {
    throw new UsageError(
      `version: this document has version ${version}, and this Roundtable reads version ${documentVersion}. Update Roundtable.`,
    )
  }
  const document = documentSchema.safeParse(value)
  if (!document.success) {
    const { path, message } = deepest(document.error.issues[0]!)
    throw new UsageError(`${pathText(path) || 'The document'}: ${message}.`)
  }
  const checked = [...document.data.events]
  checkLog(checked)
  const written = value instanceof Object && 'events' in value ? value.events : undefined
  return isSame(written, checked) ? written : checked
}

export const json = (): Exporter => ({
  id: 'json',
  label: 'JSON',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  write(events, { compact, thread, files = [] } = {}) {
    const document = { ...documentOf(events, thread), ...(files.length > 0 && { files }) }
    return `${JSON.stringify(document, null, compact ? undefined : 2)}\n`
  },
  read,
})
