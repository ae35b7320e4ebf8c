/** The first event of a log: the question, who sits at the table, and how they deliberate. */
import { z } from 'zod'
import { bookSchema, lettersReadSchema } from '../letters/book.ts'
import { excerptsSchema } from '../question/excerpts.ts'
import { forms } from '../question/form.ts'
import { kinds } from '../question/kind.ts'
import { questionSchema } from '../question/question.ts'
import { mostSources, sourceSchema } from '../question/source.ts'
import {
  boundedByName as byName,
  largestAmount,
  lastRound,
  longestDeadline,
  mostPatience,
  mostRounds,
  mostSeats,
  boundedName as name,
  boundedText as text,
} from './bounds.ts'
import { afterSchema, forkedFromSchema } from './links.ts'

const positive = z.number().positive().max(largestAmount)
const count = z.number().int().min(0).max(largestAmount)

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
  id: name,
  /** A, B, C…: all that the other seats see of it while names are hidden. */
  alias: name,
  name,
  /** `provider/model`. */
  model: name,
  maker: name.optional(),
  /** What this seat is asked to be: a role, a temperament, a field. */
  brief: text.optional(),
  ...voiceSchema.shape,
  /** The replies are written in advance, not by a model. */
  scripted: z.boolean().optional(),
  /** Somebody outside holds the seat and hands in answers: no model is called for it. */
  outside: z.boolean().optional(),
  /** A person holds it, not a program. */
  person: z.boolean().optional(),
  /** Seconds for an answer of this seat, if somebody outside holds it. Absent: the session's `outsideDeadline`. */
  deadline: z.number().positive().max(longestDeadline).optional(),
  /** The first round that it takes part in. Absent: all of them. */
  since: z.number().int().min(0).max(lastRound).optional(),
  /** So small a model that it is asked short questions, and its answers should not be relied on. */
  small: z.boolean().optional(),
  /** Whether its model gets the pictures of the question. Absent: there are none, or no model holds the seat. */
  sees: z.boolean().optional(),
})
export type Seat = z.infer<typeof seatSchema>

export const budgetSchema = z.object({
  usd: positive.optional(),
  tokens: positive.optional(),
})
export type Budget = z.infer<typeof budgetSchema>

/** What an imported transcript claims, kept apart from what code computes. */
export const importedSchema = z.object({
  from: z.literal('transcript'),
  line: text,
  changed: z.array(name).max(mostSeats),
})

export const scoreSchema = z.object({
  right: count,
  of: count,
})

export const openedSchema = z.object({
  type: z.literal('session-opened'),
  id: name,
  question: questionSchema,
  seats: z.array(seatSchema).min(1).max(mostSeats),
  /** What kind of question it is, if the asker said so. */
  kind: z.enum(kinds).optional(),
  moderator: name.nullable(),
  /** The moderator is so small that it is asked for nothing but yes or no. */
  smallModerator: z.boolean().optional(),
  protocol: name,
  /** How many open rounds there may be. */
  rounds: z.number().int().min(0).max(mostRounds),
  names: z.enum(['hidden', 'shown']),
  /** ISO 639-1 of the asked-for answers; null if unknown. */
  language: name.nullable(),
  seed: text,
  /** Absent: reasoning first. Answer first is kept to measure what the order is worth. */
  form: z.enum(forms).optional(),
  budget: budgetSchema.optional(),
  /** What each seat may stake if answers have a price; a seat that is not named has a purse of 1. */
  purses: byName(positive).optional(),
  /** Seconds for one answer. */
  deadline: z.number().positive().max(longestDeadline),
  /** Seconds for an answer from outside. It may take longer than any process lives. */
  outsideDeadline: z.number().positive().max(longestDeadline).optional(),
  /** How many times as long as the others a seat may take before the round goes on without it. Absent: it waits. */
  patience: z.number().min(1).max(mostPatience).optional(),
  /** By model: how many resolved questions it had answered when the session was opened, and how many rightly. */
  record: byName(scoreSchema).optional(),
  /** By sealed split: resolved sessions of the archive when the session was opened, and how many verdicts were right. */
  splits: byName(scoreSchema).optional(),
  /** Seats are asked to cite the exhibits. Absent: nobody asks them. */
  citations: z.literal(true).optional(),
  /** Seats get these passages of the exhibits, because the whole doesn't fit a model. Absent: they get all. */
  excerpts: excerptsSchema.optional(),
  /** One search for all seats before the first round, or each seat with its maker's own tool. Absent: nobody searches. */
  search: z.enum(['shared', 'native']).optional(),
  /** What the search of the session before found, if this one is a fork of it. */
  sources: z.array(sourceSchema).max(mostSources).readonly().optional(),
  /** Pages that answers cite aren't fetched. */
  fetch: z.literal(false).optional(),
  imported: importedSchema.optional(),
  /** The session is a book of letters. */
  book: bookSchema.optional(),
  /** Letters of books that seats read before the sealed round. */
  letters: lettersReadSchema.optional(),
  /** The span of the request that opened it, in the form of the W3C, if the server sends traces. */
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional(),
  /** The session that this one asks on after, and what seats are told of it. */
  after: afterSchema.optional(),
  /** The session that this one is a fork of. With a round, the events up to its close are copied from there. */
  forkedFrom: forkedFromSchema.optional(),
})
export type SessionOpened = z.infer<typeof openedSchema>
