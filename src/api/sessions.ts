/** Requests and replies about sessions: ask, find, read, watch, act. */

import { z } from 'zod'
import { fillSchema, seatInputSchema, templateNameSchema, wishSchema } from '../core/ask.ts'
import { lastRound, longestDeadline } from '../core/basics.ts'
import { draftFields, eventSchema, outcomes } from '../core/event.ts'
import { kinds } from '../core/form.ts'
import { linkKinds } from '../core/opening.ts'
import { answerSchema, attachmentSchema, questionSchema } from '../core/question.ts'
import { longestWord } from '../count/acts.ts'
import { levels } from '../count/tally.ts'
import { documentSchema } from '../exports/json.ts'
import {
  flagSchema,
  latestPosition,
  list,
  ownershipSchema,
  plainText,
  rangeSchema,
  visibilities,
} from './common.ts'

// exhibits: Files that are read before a question is asked.

/** The bytes as base64. */
export const exhibitsBodySchema = z
  .strictObject({ files: z.array(z.strictObject({ name: z.string(), data: z.string() })).max(100) })
  .meta({ id: 'Files' })

export type ExhibitsBody = z.input<typeof exhibitsBodySchema>

export const exhibitsSchema = z
  .object({
    exhibits: list(attachmentSchema),
    /** Files that can't be attached, and why. */
    problems: list(z.string()),
  })
  .meta({ id: 'Exhibits' })
export type ExhibitsReply = z.infer<typeof exhibitsSchema>

// people: Requests and replies about people at the table: their links, what they are asked, and the asker's words.

/** A person's seat. Whoever has the page at `path` answers for it; null: the link was revoked. */
export const personLinkSchema = z
  .object({ seat: z.string(), name: z.string(), path: z.string().nullable() })
  .meta({ id: 'PersonLink' })
export type PersonLink = z.infer<typeof personLinkSchema>

export const joinBodySchema = z
  .strictObject({
    name: plainText(100).trim().min(1),
    /** Seconds for each answer. If left out: an hour. */
    deadline: z.number().positive().max(longestDeadline).optional(),
  })
  .meta({ id: 'Join' })
export type JoinBody = z.input<typeof joinBodySchema>

/** What the asker adds. `to`: the letter, id or name of one seat; left out: it is for all of them. */
export const sayBodySchema = z
  .strictObject({ words: plainText(longestWord).trim().min(1), to: plainText(200).optional() })
  .meta({ id: 'Say' })
export type SayBody = z.input<typeof sayBodySchema>

const { attachments: _attachments, ...asked } = questionSchema.shape

/** What a person is asked: exactly what a model in the seat would be. */
const turnSchema = z.object({
  round: z.int().nonnegative(),
  /** In ISO 8601. After it, the seat is silent in this round. */
  deadline: z.string(),
  /** The prompt of the seat, word for word. Texts of others stand between marks, one JSON object a line. */
  prompt: z.object({ system: z.string(), user: list(z.string()) }),
  /** The JSON schema of the answer. */
  form: z.record(z.string(), z.unknown()),
  /** The person's last answer; null if there is none. */
  last: answerSchema.nullable(),
})

/** A person's seat, as its holder sees it. Nothing of any peer is in it before the prompt of their turn has it. */
export const personSeatSchema = z
  .object({
    name: z.string(),
    /** The letter of the seat. */
    letter: z.string(),
    question: z.object(asked),
    /** Null: the table is busy, or waits for others. */
    turn: turnSchema.nullable(),
    /** Whether this person has handed in the answer of the latest round. */
    handedIn: z.boolean(),
  })
  .meta({ id: 'PersonSeat' })
export type PersonSeatReply = z.infer<typeof personSeatSchema>

/** Unknown fields are refused: otherwise a misspelt field would be ignored silently. */
export const askBodySchema = z
  .strictObject({
    ...wishSchema.shape,
    /** May be left out if a template has one. */
    question: wishSchema.shape.question.optional(),
    /** The name of a template. Fields of the request count over its own. */
    template: templateNameSchema.optional(),
    /** What its blanks are filled with, by name. */
    fill: fillSchema.optional(),
  })
  .meta({ id: 'Ask' })
export type AskBody = z.input<typeof askBodySchema>

/** The fields that should differ from the session that is forked, and where the fork begins. */
export const forkBodySchema = askBodySchema
  .omit({ forkedFrom: true, template: true, fill: true })
  .partial()
  .extend({
    /** The last round that both share. If left out: the question is asked anew, from the start. */
    at: z.int().min(0).max(lastRound).optional(),
  })
  .meta({ id: 'Fork' })
export type ForkBody = z.input<typeof forkBodySchema>

export const replaceBodySchema = z.strictObject({ seat: seatInputSchema }).meta({ id: 'Replace' })
export type ReplaceBody = z.input<typeof replaceBodySchema>

/** The right answer: a value, the id or the words of a camp, or `none` if no seat had it. */
export const resolveBodySchema = z
  .strictObject({ answer: z.string().trim().min(1).max(10_000) })
  .meta({ id: 'Resolution' })
export type ResolveBody = z.input<typeof resolveBodySchema>

/** An answer from outside, in the form that the seat's prompt asks for. */
export const answerBodySchema = z
  .strictObject({ round: z.int().min(0).max(20), answer: z.record(z.string(), z.unknown()) })
  .meta({ id: 'OutsideAnswer' })
export type AnswerBody = z.input<typeof answerBodySchema>

/** What kind of question it is, as a person says. */
export const kindBodySchema = z.strictObject({ kind: z.enum(kinds) }).meta({ id: 'KindCorrection' })
export type KindBody = z.input<typeof kindBodySchema>

export const tagsBodySchema = z
  .strictObject({ tags: z.array(plainText(100).trim().min(1)).max(50) })
  .meta({ id: 'Tags' })
export type TagsBody = z.input<typeof tagsBodySchema>

/** The session that was opened, forked or imported. */
export const openedSchema = z
  .object({
    id: z.string(),
    /** The people at the table, each with the link of their seat. */
    people: list(personLinkSchema).optional(),
  })
  .meta({ id: 'Opened' })
export type Opened = z.infer<typeof openedSchema>

/** The position of an act in the log of its session. */
export const acceptedSchema = z.object({ position: z.int().nonnegative() }).meta({ id: 'Accepted' })
export type Accepted = z.infer<typeof acceptedSchema>

/** Anyone can open the page at `path`; `/api/shared/<token>` is the same for programs. */
export const shareSchema = z.object({ token: z.string(), path: z.string() }).meta({ id: 'Share' })
export type Share = z.infer<typeof shareSchema>

/** The same document as a JSON export, plus what is stored beside the log. */
export const sessionSchema = documentSchema
  .extend({
    tags: list(z.string()),
    share: shareSchema.nullable(),
    /** The people at the table, each with the link of their seat. */
    people: list(personLinkSchema),
    /** Null once the session is over. */
    progress: z
      .object({
        /** What is going on now, in words. */
        now: z.string(),
        /** At most. */
        stepsLeft: z.int().nonnegative(),
        /** About how long they take: an honest range, not a promise. */
        secondsLeft: rangeSchema,
      })
      .nullable(),
    /** Only while accounts are on: whether it is yours, and who else sees it. */
    ownership: ownershipSchema.optional(),
  })
  .meta({ id: 'Session' })
export type SessionReply = z.infer<typeof sessionSchema>

/** What a share link shows: the session without its tags. */
export const sharedSchema = documentSchema.meta({ id: 'SharedSession' })
export type SharedReply = z.infer<typeof sharedSchema>

export const foundSchema = z
  .object({
    id: z.string(),
    question: z.string(),
    openedAt: z.string(),
    /** Null while the session is running. */
    outcome: z.enum(outcomes).nullable(),
    level: z.enum(levels).nullable(),
    line: z.string().nullable(),
    protocol: z.string(),
    models: list(z.string()),
    tags: list(z.string()),
    /** Only if the session is a book of letters. */
    book: z.literal(true).optional(),
    /** The session that this one follows, or is a fork of. */
    parent: z.string().nullable(),
    link: z.enum(linkKinds).nullable(),
    /** Only if it is somebody's: whose, and who else sees it. */
    owner: z.string().optional(),
    visibility: z.enum(visibilities).optional(),
    /** The name of its owner, if that is somebody else. */
    by: z.string().optional(),
  })
  .meta({ id: 'Found' })
export type FoundReply = z.infer<typeof foundSchema>

export const findQuerySchema = z.object({
  /** All of these words must be in the session; the last one may be the beginning of a word. */
  words: plainText(1_000).optional(),
  model: plainText(300).optional(),
  protocol: plainText(100).optional(),
  level: z.enum(levels).optional(),
  outcome: z.enum(outcomes).optional(),
  tag: plainText(100).optional(),
  /** Follow-ups and forks of this session. */
  parent: plainText(100).optional(),
  /** Opened at this time or later, in ISO 8601. */
  from: z.union([z.iso.datetime(), z.iso.date()]).optional(),
  before: z.union([z.iso.datetime(), z.iso.date()]).optional(),
  /** Books of letters only. */
  books: flagSchema.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the previous page. */
  cursor: z.string().max(1_000).optional(),
})
export type FindQuery = z.input<typeof findQuerySchema>

/** Sessions that belong together: follow-ups and forks, each after the one that it belongs to. */
export const threadSchema = z.object({ sessions: list(foundSchema) }).meta({ id: 'Thread' })
export type ThreadReply = z.infer<typeof threadSchema>

export const findingsSchema = z
  .object({ sessions: list(foundSchema), next: z.string().nullable() })
  .meta({ id: 'Findings' })
export type FindingsReply = z.infer<typeof findingsSchema>

export const eventsQuerySchema = z.object({
  /** The last position that the watcher has. The header Last-Event-ID takes precedence. */
  after: z.coerce.number().int().min(-1).max(latestPosition).optional(),
})

/** The data of one event of the stream. Events of the log have a position, which is their `id:`. */
export const liveEventSchema = z
  .union([
    eventSchema,
    z.object({
      type: z.literal('delta'),
      round: z.number(),
      /** Of an advocate in a cross-examination. */
      turn: z.number().optional(),
      /** A seat's id, or `moderator` for the report. */
      seat: z.string(),
      /** `points`: what the seat says of others' points; `text`: the text that the question asks for. */
      field: z.enum(draftFields),
      text: z.string(),
      /** The text is everything so far and replaces the field, for a watcher that connects in the middle. */
      whole: z.literal(true).optional(),
    }),
    z.object({
      type: z.literal('retrying'),
      round: z.number(),
      turn: z.number().optional(),
      seat: z.string(),
      attempt: z.number(),
      why: z.string(),
      /** Its provider asks it to wait: `why` says so, and for how long. It isn't tried again before that. */
      waits: z.literal(true).optional(),
    }),
  ])
  .meta({ id: 'LiveEvent' })

export const exportQuerySchema = z.object({ compact: flagSchema.optional() })
