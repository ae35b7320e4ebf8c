/**
 * The log of a session: an append-only list of these events is the truth, and everything else
 * (live view, reload, replay, resume, export) is a fold over it.
 */

import { z } from 'zod'
import {
  boundedByName as byName,
  largestAmount,
  lastRound,
  lastTextPlace,
  modelErrorSchema,
  mostEvents,
  mostNames,
  mostPairs,
  mostSeats,
  boundedName as name,
  boundedText as text,
} from './basics.ts'
import { kinds } from './form.ts'
import { figuresSchema, forkedSchema, openedSchema, seatSchema } from './opening.ts'
import { answerSchema, mostSources, sourceSchema } from './question.ts'

// report: What the moderator writes: the report, and the digest of a round.

/** More reasons than this carry nothing. */
export const mostReasons = 8

export const reportSchema = z.object({
  /** The table's answer, one sentence. */
  answer: text,
  /** With `reasons`: what they and `moved` say, for readers that know nothing else. Otherwise the moderator's own text. */
  summary: text,
  /** What carried the answer; words of a seat are checked to be in its answers. */
  reasons: z
    .array(z.object({ reason: text, seat: name.optional(), quote: text.optional() }))
    .max(mostReasons)
    .optional(),
  /** Who moved whom. Absent if nobody moved or conceded anything. */
  moved: text.optional(),
  /** The strongest dissent. Absent if there is none. */
  counterpoint: text.optional(),
  /** What stayed open, what nobody could verify, and what would settle it. */
  open: text.optional(),
  unverified: text.optional(),
  settle: text.optional(),
})
export type Report = z.infer<typeof reportSchema>

const heldWords = { held: z.object({ seat: name, quote: text }).optional() }

/** A report as the moderator wrote it: seats by their letters, and placeholders where code fills in counts. */
export const reportDraftSchema = z.object({
  answer: text,
  /** Only in the earlier form, which had no reasons. */
  summary: text.optional(),
  reasons: z.array(z.object({ text, ...heldWords })).max(mostReasons),
  moved: text.optional(),
  counterpoint: z.object({ text, ...heldWords }).optional(),
  open: text.optional(),
  unverified: text.optional(),
  settle: text.optional(),
})
export type ReportDraft = z.infer<typeof reportDraftSchema>

export const digestSchema = z.object({
  positions: z
    .array(
      z.object({
        position: text,
        /** Words of a seat, checked to be in its answer. */
        arguments: z.array(z.object({ seat: name, quote: text })).max(mostSeats),
      }),
    )
    .max(mostSeats),
  /** What the group says as a whole, if the protocol shows it. */
  figures: figuresSchema.optional(),
})
export type Digest = z.infer<typeof digestSchema>

// spent: What one call to a model took: tokens, money, time.

const amount = z.number().min(0).max(largestAmount)

export const usageSchema = z.object({
  inputTokens: amount,
  outputTokens: amount,
  /** Part of the input that the provider had cached. */
  cachedTokens: amount.optional(),
  /** Part of the input that the provider put into its cache, at a price of its own. */
  cacheWriteTokens: amount.optional(),
  /** Part of the output that was hidden reasoning. */
  reasoningTokens: amount.optional(),
  /** Web searches, for each of which there is a fee in the cost. Absent: the call couldn't search. */
  searches: amount.optional(),
  /** Part of the tokens that the provider reports beyond what the call was allowed to use. */
  excessTokens: amount.optional(),
  /** Null: the price is unknown. Never zero for want of knowledge. */
  costUsd: amount.nullable(),
  /** The provider gave no figures, so the tokens are counted from the text. */
  estimated: z.boolean().optional(),
  /** The person's subscription to an agent paid for it, or for a part of it: `costUsd` is what came on top. */
  subscription: z.literal(true).optional(),
})
export type Usage = z.infer<typeof usageSchema>

export const timingSchema = z.object({
  /** Milliseconds from the call to its first token. */
  firstToken: amount.nullable(),
  /** Milliseconds from the call to its end, retries included. */
  total: amount,
  attempts: z.number().int().positive().max(largestAmount),
})
export type Timing = z.infer<typeof timingSchema>

/** On an event that a call led to. */
export const spent = {
  usage: usageSchema.optional(),
  timing: timingSchema.optional(),
  /** A late answer came while the moderator was reading: only what the call used counts, and it is made again. */
  outdated: z.literal(true).optional(),
  /** The call that came to this, if the log has its beginning. */
  call: text.optional(),
}

/** A call that is about to be made. A later one of the same name takes its place. */
export const callBegunSchema = z.object({
  /** The key of its command. */
  call: text,
  /** What it may use at most. Absent: the session has no budget. */
  held: usageSchema.optional(),
  /** What was used for it before, or may have been used by a process that died. */
  used: usageSchema.optional(),
  /** The reply before could not be used. The model is asked again, with these words. */
  repair: text.optional(),
})
export type CallBegun = z.infer<typeof callBegunSchema>

const round = z.number().int().min(0).max(lastRound)
const place = z.number().int().min(0).max(lastTextPlace)

/**
 * How two answers relate. Compatible: neither denies the other, but they aren't the same answer, so they never count as
 * agreement.
 */
export const relations = ['same', 'same with a caveat', 'compatible', 'different'] as const
export type Relation = (typeof relations)[number]

export const moderatorTasks = [
  'kind',
  'readings',
  'reading',
  'group',
  'check',
  'digest',
  'challenge',
  'judge',
  'report',
  'change',
] as const
export type ModeratorTask = (typeof moderatorTasks)[number]

/** Failed: it could not be run, for the reason that `session-stopped` gives. */
export const outcomes = ['verdict', 'no-quorum', 'budget', 'interrupted', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export const stopReasons = ['budget', 'interrupted', 'failed'] as const
export type StopReason = (typeof stopReasons)[number]

/** What a reading may hold besides labels. */
export const readingParts = ['objection', 'digest'] as const
export type ReadingPart = (typeof readingParts)[number]

export const changeWords = ['held', 'refined', 'switched', 'not told'] as const
/** What a seat's text says about its own change of mind. */
export type ChangeWord = (typeof changeWords)[number]

/** A seat's headline and the answer that it is compared with, as `seat@round`. */
const pair = { seat: name, exemplar: text }

const event = z.discriminatedUnion('type', [
  openedSchema,
  /** The one search for all seats: what it found, and who searched. */
  z.object({
    type: z.literal('evidence-found'),
    /** A search endpoint, or `provider/model`. */
    by: name,
    query: text,
    sources: z.array(sourceSchema).max(mostSources).readonly(),
    ...spent,
  }),
  /** The search failed, in the provider's own words. The session goes on without sources. */
  z.object({ type: z.literal('search-failed'), by: name, error: modelErrorSchema, ...spent }),
  z.object({
    type: z.literal('round-opened'),
    round,
    sealed: z.boolean(),
    /** The version of the prompts and forms that this round was asked with. Absent: the first. */
    prompts: place.optional(),
  }),
  /** What they hold counts as used until events say what they came to: a crash must not hide what is billed. */
  z.object({ type: z.literal('calls-begun'), calls: z.array(callBegunSchema).max(mostNames) }),
  z.object({
    type: z.literal('answer-given'),
    round,
    seat: name,
    answer: answerSchema,
    /** It was handed in from outside, by whoever holds the seat. */
    outside: z.literal(true).optional(),
    ...spent,
  }),
  z.object({
    type: z.literal('seat-silent'),
    round,
    seat: name,
    error: modelErrorSchema,
    ...spent,
  }),
  /** The seat declined; `words` are its own. */
  z.object({
    type: z.literal('seat-abstained'),
    round,
    seat: name,
    words: text,
    ...spent,
  }),
  /** The round no longer waits for a seat: it takes too long for the asker's patience, or a person said so. */
  z.object({ type: z.literal('seat-overdue'), round, seat: name, by: z.enum(['patience', 'person']) }),
  /** The moderator says what kind of question it is. */
  z.object({ type: z.literal('kind-found'), kind: z.enum(kinds), ...spent }),
  /** Seats read the question in different ways: the readings, and whose they are. */
  z.object({
    type: z.literal('readings-grouped'),
    round,
    readings: z
      .array(z.object({ reading: text, seats: z.array(name).max(mostSeats).readonly() }))
      .max(mostSeats)
      .readonly(),
    ...spent,
  }),
  /** What the moderator made of a closed round in one call: the first pass of labels, an objection, a digest. */
  z.object({
    type: z.literal('round-read'),
    round,
    /** Absent if the round needs no labels. */
    labels: byName(text).optional(),
    positions: byName(text).optional(),
    /** Absent: nobody asked for one, or the reply had none that could be used. Null: it found none. */
    objection: text.nullable().optional(),
    digest: digestSchema.optional(),
    /** What was asked for and isn't there: it is asked for by itself if it is needed. */
    missing: z.array(z.enum(readingParts)).max(readingParts.length).optional(),
    ...spent,
  }),
  /** One of two shuffled passes of the moderator over the round's headlines: a label for each seat. */
  z.object({
    type: z.literal('camps-proposed'),
    round,
    pass: z.number().int().min(0).max(1),
    /** Which part of a large table's headlines; absent if one call labelled all. */
    batch: place.optional(),
    labels: byName(text),
    /** By seat: the id of the position that it was given, a camp's or a new one. Absent: equal labels are one. */
    positions: byName(text).optional(),
    ...spent,
  }),
  /** A seat compared with the exemplar of the camp it was proposed for. */
  z.object({
    type: z.literal('membership-checked'),
    round,
    seat: name,
    /** `seat@round` of the answer that stands for the camp. */
    exemplar: text,
    relation: z.enum(relations),
    ...spent,
  }),
  /** Several such comparisons in one call; those between exemplars of two camps say whether the camps are compatible. */
  z.object({
    type: z.literal('memberships-checked'),
    round,
    checks: z.array(z.object({ ...pair, relation: z.enum(relations) })).max(mostPairs),
    /** Pairs that the reply left out: each is asked about by itself. */
    missing: z.array(z.object(pair)).max(mostPairs).optional(),
    ...spent,
  }),
  z.object({
    type: z.literal('digest-written'),
    round,
    digest: digestSchema,
    by: z.enum(['moderator', 'code']),
    /** Of a part of a large table; the digest of these parts comes later. */
    batch: place.optional(),
    ...spent,
  }),
  /** A challenger looked for a checkable objection to the leading position; null: it found none. */
  z.object({
    type: z.literal('challenge-made'),
    round,
    objection: text.nullable(),
    ...spent,
  }),
  /** An advocate's turn between two rounds: what it said and asked, or the error that kept it silent. */
  z.object({
    type: z.literal('statement-made'),
    round,
    turn: place,
    seat: name,
    said: z.union([
      z.object({
        argument: text,
        question: text.nullable(),
        /** The other side convinced it. The hearing ends, and the table votes. */
        concedes: z.literal(true).optional(),
      }),
      z.object({ error: modelErrorSchema }),
    ]),
    ...spent,
  }),
  /** A judge without a seat read both cases in one of two orders; null: neither holds better. */
  z.object({
    type: z.literal('ruling-given'),
    round,
    order: z.number().int().min(0).max(1),
    camp: text.nullable(),
    words: text,
    ...spent,
  }),
  z.object({
    type: z.literal('moderator-failed'),
    task: z.enum(moderatorTasks),
    round,
    /** Which pass, or which check (see `checkKey`). */
    subject: text.optional(),
    /** Which checks, if one call was to make several. */
    subjects: z.array(text).max(mostPairs).optional(),
    error: modelErrorSchema,
    ...spent,
  }),
  /** The moderator's report while memberships are still being checked. Code fills in the counts once they are. */
  z.object({
    type: z.literal('report-drafted'),
    /** The round that was the last one then. */
    round,
    /** Absent: the moderator wrote none that can be used, and code writes it. */
    draft: reportDraftSchema.optional(),
    /** The headline that led then. */
    leading: text.nullable(),
    /** The seats that had moved then. */
    moved: z.array(name).max(mostSeats).readonly(),
    /** Those of them that had changed their minds. Absent in logs of earlier versions. */
    changed: z.array(name).max(mostSeats).readonly().optional(),
    rejected: z.array(text).max(lastTextPlace).optional(),
    ...spent,
  }),
  z.object({
    type: z.literal('report-written'),
    report: reportSchema,
    by: z.enum(['moderator', 'code']),
    /** Why the moderator's own reports were rejected. */
    rejected: z.array(text).max(lastTextPlace).optional(),
    ...spent,
  }),
  /** No further call is made: the cap is reached, somebody stopped the session, or it could not be run. */
  z.object({
    type: z.literal('session-stopped'),
    reason: z.enum(stopReasons),
    words: text,
  }),
  z.object({ type: z.literal('session-finished'), outcome: z.enum(outcomes) }),
  /** A seat that gave no answer is asked again. */
  z.object({ type: z.literal('seat-retried'), round, seat: name }),
  /** From this round on another model holds the seat; what was said before stays its predecessor's. */
  z.object({ type: z.literal('seat-replaced'), round, seat: seatSchema }),
  /** Somebody takes a new seat, from the round after the latest one on. */
  z.object({ type: z.literal('seat-joined'), seat: seatSchema }),
  /** The person who asked adds a fact, a constraint or a question. Seats read it in later rounds. */
  z.object({
    type: z.literal('asker-said'),
    words: text,
    /** Absent: it is for every seat. */
    to: name.optional(),
  }),
  /** One more open round, whatever the protocol would decide. */
  z.object({ type: z.literal('round-added') }),
  /** A stopped session continues: seats that were not asked are asked now. */
  z.object({ type: z.literal('session-resumed') }),
  /** A person corrects what kind of question it is. */
  z.object({ type: z.literal('kind-corrected'), kind: z.enum(kinds) }),
  /** The right answer is known. A later event corrects it; the session stays closed. */
  z.object({
    type: z.literal('session-resolved'),
    answer: text,
    /** Ids of the camps that were right, of any round; none: nobody was. */
    camps: z.array(text).max(mostSeats * (lastRound + 1)),
  }),
  /** A moderator reads an imported transcript, to compare what it claims with what its texts say. */
  z.object({ type: z.literal('check-opened'), moderator: name }),
  /** What a seat of a transcript says in its own text: whether it changed its mind, and in which words. */
  z.object({
    type: z.literal('change-checked'),
    round,
    seat: name,
    says: z.enum(changeWords),
    quote: text,
    /** Whether the quoted words are in the seat's text. */
    verified: z.boolean(),
    ...spent,
  }),
  forkedSchema,
])

/** What happened, before the log gives it a place and a time. */
export type Happening = z.infer<typeof event>

export const eventSchema = z.intersection(
  z.object({ position: z.number().int().min(0).max(mostEvents), at: name }),
  event,
)

/** Books could be sealed once. That one was opened holds its place in the log, and says nothing. */
const withoutOpening = (one: unknown): unknown =>
  z.object({ type: z.literal('book-opened') }).safeParse(one).success
    ? { ...(one as object), type: 'calls-begun', calls: [] }
    : one

/** A log as a document or a backup holds it. */
export const logSchema = z.array(z.preprocess(withoutOpening, eventSchema)).max(mostEvents)

/** A committed event. `position` counts from 0 without a gap, and is the fencing token of the log. */
export type SessionEvent = Happening & { readonly position: number; readonly at: string }

// command: What a protocol may ask the runtime to do, as plain data.

export type Command =
  /** Search the web for all seats, before the first round. */
  | { readonly type: 'search' }
  | { readonly type: 'open-round'; readonly round: number; readonly sealed: boolean }
  | { readonly type: 'ask-seat'; readonly round: number; readonly seat: string }
  /** Say what kind of question it is. */
  | { readonly type: 'find-kind' }
  /** Put together the ways in which seats read the question. */
  | { readonly type: 'group-readings'; readonly round: number }
  /** Read a closed round in one call: labels if it needs them, and the parts that its protocol wants. */
  | { readonly type: 'read-round'; readonly round: number; readonly parts: readonly ReadingPart[] }
  /** Label the headlines of a round; two passes, in two orders, and batch after batch at a large table. */
  | {
      readonly type: 'group-answers'
      readonly round: number
      readonly pass: 0 | 1
      readonly batch?: number
    }
  | {
      readonly type: 'check-membership'
      readonly round: number
      readonly seat: string
      readonly exemplar: string
    }
  /** Compare several pairs of headlines in one call. */
  | {
      readonly type: 'check-memberships'
      readonly round: number
      readonly pairs: readonly { readonly seat: string; readonly exemplar: string }[]
    }
  /** Sum up a round for the next one, without names; at a large table first in parts, then these. */
  | { readonly type: 'write-digest'; readonly round: number; readonly batch?: number }
  /** Look for a checkable objection to the leading position. */
  | { readonly type: 'challenge'; readonly round: number }
  /** An advocate's turn: argue for its camp, and question the other. */
  | { readonly type: 'make-statement'; readonly round: number; readonly turn: number; readonly seat: string }
  /** Which case holds better, with the one side first or the other. */
  | { readonly type: 'judge'; readonly round: number; readonly order: 0 | 1 }
  /** Again: what was drafted doesn't hold now that all memberships are checked. */
  | { readonly type: 'write-report'; readonly again?: true }
  /** Fill in the counts of a report that was drafted before they were known. */
  | { readonly type: 'settle-report' }
  /** Say whether the text of a transcript's seat says that it changed its mind. */
  | { readonly type: 'check-change'; readonly round: number; readonly seat: string }
  | { readonly type: 'finish' }

/** Commands that need a model; the others are carried out by code. */
export type ModelCommand = Exclude<Command, { type: 'search' | 'open-round' | 'settle-report' | 'finish' }>

const keyPart = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A large table's commands are looked at after every answer, so each key is made once. */
const keys = new WeakMap<Command, string>()

/** Two equal commands share a key: the runtime starts each at most once. */
export const commandKey = (command: Command): string => {
  const key = keys.get(command) ?? Object.values(command).map(keyPart).join(' ')
  keys.set(command, key)
  return key
}

// liveEvent: What a watcher of a running session sees besides the log. None of it is stored.

/** The parts of an answer that can be watched, in the order in which most seats write them. */
export const draftFields = ['thinking', 'points', 'reasoning', 'text', 'headline'] as const
export type DraftField = (typeof draftFields)[number]

/**
 * A piece of a seat's answer on its way, of what it says as an advocate in its turn, or of the report. Streamed, never
 * stored.
 */
export interface Delta {
  readonly type: 'delta'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly field: DraftField
  readonly text: string
  /** The text is everything so far, and replaces what a watcher had of the field. */
  readonly whole?: true
}

/** A call is tried again, or waits because its provider asks it to; shown live, never stored. */
export interface Retrying {
  readonly type: 'retrying'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly attempt: number
  readonly why: string
  /** It has not been tried again yet: `why` says how long it waits. */
  readonly waits?: true
}

/** What a watcher of a running session sees. */
export type LiveEvent = SessionEvent | Delta | Retrying

// stamp: The one place where something that happened becomes an event: it gets its position in the log and its time.

export interface Stamp {
  readonly position: number
  readonly at: string
}

/** JSON writes half a character as an escape, and so do quoted backslashes: what has neither needs no second look. */
const mayHaveHalves = (json: string): boolean => json.includes('\\ud')

/** Many programs refuse a text with half a character in it, or change it. */
const wholeCharacters = (_key: string, value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(value).every(key => key.isWellFormed())) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key.toWellFormed(), held]))
}

/** As it will be read back: otherwise a watcher could see Infinity, of which the stored log knows nothing. */
const asRead = <T>(value: T): T => {
  const json = JSON.stringify(value)
  return JSON.parse(json, mayHaveHalves(json) ? wholeCharacters : undefined) as T
}

/** The clock is handed in, in milliseconds: the core reads none. */
export const stamped = <T extends Happening>(
  happening: T,
  position: number,
  clock: () => number,
): T & Stamp => asRead({ position, at: new Date(clock()).toISOString(), ...happening })

/** Events that are appended together have consecutive positions and the same time. */
export const allStamped = <T extends Happening>(
  happenings: readonly T[],
  from: number,
  clock: () => number,
): (T & Stamp)[] => {
  const now = clock()
  return happenings.map((happening, index) => stamped(happening, from + index, () => now))
}

/** An event passes the runner and then the store. It isn't changed in between. */
const sound = new WeakSet<object>()

/** Why a log can't hold the event. Undefined: it can. */
export const eventProblem = (one: SessionEvent): string | undefined => {
  if (sound.has(one)) return undefined
  const [issue] = eventSchema.safeParse(one).error?.issues ?? []
  if (issue) return `${issue.path.join('.') || 'the event'}: ${issue.message}`
  sound.add(one)
  return undefined
}
