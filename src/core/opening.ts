/** Figures of the group that a protocol tells the next round: statistics, or prices. */

import { z } from 'zod'
import {
  boundedByName as byName,
  largestAmount,
  lastRound,
  longestDeadline,
  longestName,
  mostNames,
  mostPatience,
  mostRounds,
  mostSeats,
  boundedName as name,
  boundedText as text,
} from './basics.ts'
import { excerptsSchema } from './excerpts.ts'
import { forms, kinds } from './form.ts'
import { mostSources, questionSchema, sourceSchema } from './question.ts'

/** What a seat's confidence was worth at the price it saw. */
export const stakeSchema = z.object({
  seat: z.string().max(longestName),
  option: text,
  /** The price that the seat saw. In the sealed round all options cost the same. */
  price: z.number().min(0).max(1),
  /** The part of its purse that the seat staked on its option. */
  stake: z.number().min(0).max(1),
  /** How much its purse would grow, as a natural logarithm: its log score against the price. */
  ifRight: z.number(),
  ifWrong: z.number(),
})
export type Stake = z.infer<typeof stakeSchema>

export const figuresSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('quartiles'), low: z.number(), median: z.number(), high: z.number() }),
  z.object({
    kind: z.literal('shares'),
    shares: z.array(z.object({ position: text, share: z.number().min(0).max(1) })).max(mostSeats),
  }),
  z.object({
    kind: z.literal('places'),
    places: z.array(z.object({ option: text, median: z.number() })).max(mostSeats),
  }),
  z.object({
    kind: z.literal('prices'),
    prices: z.array(z.object({ option: text, price: z.number().min(0).max(1) })).max(mostSeats),
    stakes: z.array(stakeSchema).max(mostSeats),
  }),
])
export type Figures = z.infer<typeof figuresSchema>

// book: A book of letters: a session whose seats write to their successors.

/** What marks a session as a book. */
export const bookSchema = z.object({
  /** The session that these notes are the lessons of. */
  lessonOf: name.optional(),
})
export type BookMark = z.infer<typeof bookSchema>

/** A letter as it is handed to a reader. */
export const letterSchema = z.object({
  /** `book/seat`. */
  id: name,
  book: name,
  /** The display name of the model that wrote it. */
  from: name,
  /** `provider/model`. */
  model: name,
  writtenAt: name,
  text,
})
export type Letter = z.infer<typeof letterSchema>

/** More letters than this no seat reads before it answers. */
export const mostLetters = 24

/** The letters that seats read before the sealed round, and which of them each seat got. */
export const lettersReadSchema = z.object({
  given: z.array(letterSchema).max(mostNames),
  /** By seat: ids of letters, in the order in which it read them. */
  bySeat: z.record(name, z.array(name).max(mostLetters)),
})
export type LettersRead = z.infer<typeof lettersReadSchema>

// task: What the seats of a book are asked to write.

/** The task of a book; `about` says what the letters should be about. */
export const letterTask = (about?: string): string =>
  [
    'You will be retired, and a newer model takes your place. Write a letter to your successor. It becomes part of a',
    'book of letters that the models after you read before they begin. It is the last thing that you do: say what only',
    'you can tell it.',
  ].join(' ') + (about?.trim() ? `\n\nWrite about this: ${about.trim()}` : '')

/** Words of a lesson: a note, not a letter. */
export const lessonWords = 120

// links: How a session belongs to another one: it asks on after it, or it shares its beginning.

/** What a follow-up is told of the session before it. */
export const carries = ['verdict', 'camps', 'none'] as const
export type Carry = (typeof carries)[number]
export const usualCarry: Carry = 'camps'

/** Sessions that a follow-up is told of: the last ones of its thread. */
export const mostCarried = 5

/** One earlier session, in the words that code wrote for the next one. */
export const carriedSchema = z.object({
  session: name,
  question: text,
  /** The verdict in one line. */
  line: text,
  /** What the table answered. Absent: it came to no answer. */
  answer: text.optional(),
  camps: z
    .array(z.object({ headline: text, seats: z.number().int().min(0).max(mostSeats) }))
    .max(mostSeats)
    .optional(),
  /** Why those who weren't in the leading camp disagreed. */
  dissent: z.array(text).max(mostSeats).optional(),
})
export type Carried = z.infer<typeof carriedSchema>

export const afterSchema = z.object({
  session: name,
  carry: z.enum(carries),
  /** Oldest first. */
  carried: z.array(carriedSchema).max(mostCarried),
})
export type After = z.infer<typeof afterSchema>

export const forkedFromSchema = z.object({
  session: name,
  /** The last round that both share. Absent: only the question was taken, or an earlier wording of it. */
  round: z.number().int().min(0).max(lastRound).optional(),
})
export type ForkedFrom = z.infer<typeof forkedFromSchema>

/** How a session is linked to the one before it. */
export const linkKinds = ['follow-up', 'fork'] as const
export type LinkKind = (typeof linkKinds)[number]

export interface ParentLink {
  readonly session: string
  readonly kind: LinkKind
}

/** A fork of a follow-up belongs to what it was forked from. */
export const parentOf = ({
  after,
  forkedFrom,
}: {
  readonly after?: After
  readonly forkedFrom?: ForkedFrom
}): ParentLink | undefined => {
  if (forkedFrom) return { session: forkedFrom.session, kind: 'fork' }
  return after && { session: after.session, kind: 'follow-up' }
}

// sessionOpened: The first event of a log: the question, who sits at the table, and how they deliberate.

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
  /** Seconds for an answer of this seat, if somebody outside holds it. It may take longer than any process lives. */
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
  /** Seconds for one answer. */
  deadline: z.number().positive().max(longestDeadline),
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

// sessionForked: The event where a fork begins: everything before is copied from another session, and was paid for there.

/** From here on the table is as this event says. */
export const forkedSchema = z.object({
  type: z.literal('session-forked'),
  ...openedSchema.pick({
    seats: true,
    moderator: true,
    smallModerator: true,
    protocol: true,
    rounds: true,
    names: true,
    budget: true,
    deadline: true,
    patience: true,
  }).shape,
  /** So many open rounds are held in any case, because somebody new has to be heard. */
  wanted: z.number().int().min(0).max(lastRound).optional(),
})
