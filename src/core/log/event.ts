/**
 * The log of a session: an append-only list of these events is the truth, and everything else
 * (live view, reload, replay, resume, export) is a fold over it.
 */
import { z } from 'zod'
import { modelErrorSchema } from '../errors.ts'
import { figuresSchema } from '../group/figures.ts'
import { answerSchema } from '../question/answer.ts'
import { questionSchema } from '../question/question.ts'
import { spent } from './spent.ts'

export const efforts = ['low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** Settings of one seat's model; left out silently if the model does not take them. */
export const voiceSchema = z.object({
  temperature: z.number().min(0).max(2).optional(),
  /** How long a reasoning model thinks. */
  effort: z.enum(efforts).optional(),
})
export type Voice = z.infer<typeof voiceSchema>

export const seatSchema = z.object({
  id: z.string(),
  /** A, B, C…: all that the other seats see of it while names are hidden. */
  alias: z.string(),
  name: z.string(),
  /** `provider/model`. */
  model: z.string(),
  maker: z.string().optional(),
  /** What this seat is asked to be: a role, a temperament, a field. */
  brief: z.string().optional(),
  ...voiceSchema.shape,
  /** The replies are written in advance, not by a model. */
  scripted: z.boolean().optional(),
  /** So small a model that it is asked short questions, and its answers should not be relied on. */
  small: z.boolean().optional(),
})
export type Seat = z.infer<typeof seatSchema>

export const budgetSchema = z.object({
  usd: z.number().positive().optional(),
  tokens: z.number().positive().optional(),
})
export type Budget = z.infer<typeof budgetSchema>

export const relations = ['same', 'same with a caveat', 'different'] as const
export type Relation = (typeof relations)[number]

export const moderatorTasks = ['group', 'check', 'digest', 'challenge', 'judge', 'report', 'change'] as const
export type ModeratorTask = (typeof moderatorTasks)[number]

/** Failed: it could not be run, for the reason that `session-stopped` gives. */
export const outcomes = ['verdict', 'no-quorum', 'budget', 'interrupted', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export const stopReasons = ['budget', 'interrupted', 'failed'] as const
export type StopReason = (typeof stopReasons)[number]

export const reportSchema = z.object({
  /** The table's answer, one sentence. */
  answer: z.string(),
  summary: z.string(),
  counterpoint: z.string().optional(),
})
export type Report = z.infer<typeof reportSchema>

export const digestSchema = z.object({
  positions: z.array(
    z.object({
      position: z.string(),
      /** Words of a seat, checked to be in its answer. */
      arguments: z.array(z.object({ seat: z.string(), quote: z.string() })),
    }),
  ),
  /** What the group says as a whole, if the protocol shows it. */
  figures: figuresSchema.optional(),
})
export type Digest = z.infer<typeof digestSchema>

/** What an imported transcript claims, kept apart from what code computes. */
export const importedSchema = z.object({
  from: z.literal('transcript'),
  line: z.string(),
  changed: z.array(z.string()),
})

export const scoreSchema = z.object({
  right: z.number().int().nonnegative(),
  of: z.number().int().nonnegative(),
})

export const changeWords = ['held', 'refined', 'switched', 'not told'] as const
/** What a seat's text says about its own change of mind. */
export type ChangeWord = (typeof changeWords)[number]

const opened = z.object({
  type: z.literal('session-opened'),
  id: z.string(),
  question: questionSchema,
  seats: z.array(seatSchema).min(1),
  moderator: z.string().nullable(),
  /** The moderator is so small that it is asked for nothing but yes or no. */
  smallModerator: z.boolean().optional(),
  protocol: z.string(),
  /** How many open rounds there may be. */
  rounds: z.number().int().min(0).max(4),
  names: z.enum(['hidden', 'shown']),
  /** ISO 639-1 of the asked-for answers; null if unknown. */
  language: z.string().nullable(),
  seed: z.string(),
  budget: budgetSchema.optional(),
  /** What each seat may stake if answers have a price; a seat that is not named has a purse of 1. */
  purses: z.record(z.string(), z.number().positive()).optional(),
  /** Seconds for one answer. */
  deadline: z.number().positive(),
  /** By model: how many resolved questions it had answered when the session was opened, and how many rightly. */
  record: z.record(z.string(), scoreSchema).optional(),
  imported: importedSchema.optional(),
})

const event = z.discriminatedUnion('type', [
  opened,
  z.object({ type: z.literal('round-opened'), round: z.number().int().nonnegative(), sealed: z.boolean() }),
  z.object({
    type: z.literal('answer-given'),
    round: z.number(),
    seat: z.string(),
    answer: answerSchema,
    ...spent,
  }),
  z.object({
    type: z.literal('seat-silent'),
    round: z.number(),
    seat: z.string(),
    error: modelErrorSchema,
    ...spent,
  }),
  /** The seat declined; `words` are its own. */
  z.object({
    type: z.literal('seat-abstained'),
    round: z.number(),
    seat: z.string(),
    words: z.string(),
    ...spent,
  }),
  /** One of two shuffled passes of the moderator over the round's headlines: a label for each seat. */
  z.object({
    type: z.literal('camps-proposed'),
    round: z.number(),
    pass: z.number().int().min(0).max(1),
    /** Which part of a large table's headlines; absent if one call labelled all. */
    batch: z.number().int().nonnegative().optional(),
    labels: z.record(z.string(), z.string()),
    ...spent,
  }),
  /** A seat compared with the exemplar of the camp it was proposed for. */
  z.object({
    type: z.literal('membership-checked'),
    round: z.number(),
    seat: z.string(),
    /** `seat@round` of the answer that stands for the camp. */
    exemplar: z.string(),
    relation: z.enum(relations),
    ...spent,
  }),
  z.object({
    type: z.literal('digest-written'),
    round: z.number(),
    digest: digestSchema,
    by: z.enum(['moderator', 'code']),
    /** Of a part of a large table; the digest of these parts comes later. */
    batch: z.number().int().nonnegative().optional(),
    ...spent,
  }),
  /** A challenger looked for a checkable objection to the leading position; null: it found none. */
  z.object({
    type: z.literal('challenge-made'),
    round: z.number(),
    objection: z.string().nullable(),
    ...spent,
  }),
  /** An advocate's turn between two rounds: what it said and asked, or the error that kept it silent. */
  z.object({
    type: z.literal('statement-made'),
    round: z.number(),
    turn: z.number().int().nonnegative(),
    seat: z.string(),
    said: z.union([
      z.object({ argument: z.string(), question: z.string().nullable() }),
      z.object({ error: modelErrorSchema }),
    ]),
    ...spent,
  }),
  /** A judge without a seat read both cases in one of two orders; null: neither holds better. */
  z.object({
    type: z.literal('ruling-given'),
    round: z.number(),
    order: z.number().int().min(0).max(1),
    camp: z.string().nullable(),
    words: z.string(),
    ...spent,
  }),
  z.object({
    type: z.literal('moderator-failed'),
    task: z.enum(moderatorTasks),
    round: z.number(),
    /** Which pass, or which check (see `checkKey`). */
    subject: z.string().optional(),
    error: modelErrorSchema,
    ...spent,
  }),
  z.object({
    type: z.literal('report-written'),
    report: reportSchema,
    by: z.enum(['moderator', 'code']),
    /** Why the moderator's own reports were rejected. */
    rejected: z.array(z.string()).optional(),
    ...spent,
  }),
  /** No further call is made: the cap is reached, somebody stopped the session, or it could not be run. */
  z.object({
    type: z.literal('session-stopped'),
    reason: z.enum(stopReasons),
    words: z.string(),
  }),
  z.object({ type: z.literal('session-finished'), outcome: z.enum(outcomes) }),
  /** A seat that gave no answer is asked again. */
  z.object({ type: z.literal('seat-retried'), round: z.number(), seat: z.string() }),
  /** From this round on another model holds the seat; what was said before stays its predecessor's. */
  z.object({ type: z.literal('seat-replaced'), round: z.number(), seat: seatSchema }),
  /** One more open round, whatever the protocol would decide. */
  z.object({ type: z.literal('round-added') }),
  /** A stopped session continues: seats that were not asked are asked now. */
  z.object({ type: z.literal('session-resumed') }),
  /** The right answer is known. A later event corrects it; the session stays closed. */
  z.object({
    type: z.literal('session-resolved'),
    answer: z.string(),
    /** Ids of the camps that were right, of any round; none: nobody was. */
    camps: z.array(z.string()),
  }),
  /** A moderator reads an imported transcript, to compare what it claims with what its texts say. */
  z.object({ type: z.literal('check-opened'), moderator: z.string() }),
  /** What a seat of a transcript says in its own text: whether it changed its mind, and in which words. */
  z.object({
    type: z.literal('change-checked'),
    round: z.number(),
    seat: z.string(),
    says: z.enum(changeWords),
    quote: z.string(),
    /** Whether the quoted words are in the seat's text. */
    verified: z.boolean(),
    ...spent,
  }),
])

/** What happened, before the log gives it a place and a time. */
export type Happening = z.infer<typeof event>
export type SessionOpened = z.infer<typeof opened>

export const eventSchema = z.intersection(
  z.object({ position: z.number().int().nonnegative(), at: z.string() }),
  event,
)
/** A committed event. `position` counts from 0 without a gap, and is the fencing token of the log. */
export type SessionEvent = Happening & { readonly position: number; readonly at: string }

/** A piece of a seat's answer on its way, or of what it says as an advocate in its turn. Streamed, never stored. */
export interface Delta {
  readonly type: 'delta'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly field: 'headline' | 'reasoning' | 'thinking'
  readonly text: string
  /** The text is everything so far, and replaces what a watcher had of the field. */
  readonly whole?: true
}

/** A call was tried again; shown live, never stored. */
export interface Retrying {
  readonly type: 'retrying'
  readonly round: number
  readonly turn?: number
  readonly seat: string
  readonly attempt: number
  readonly why: string
}

/** What a watcher of a running session sees. */
export type LiveEvent = SessionEvent | Delta | Retrying
