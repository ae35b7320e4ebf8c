/** A seat as a person writes it. */

import { z } from 'zod'
import { longestDeadline, longestName, longestText, mostPatience, mostRounds, mostSeats } from './basics.ts'
import { kinds } from './form.ts'
import { bookSchema, carries, voiceSchema } from './opening.ts'
import {
  attachmentWishSchema,
  type Format,
  formats,
  lengthSchema,
  longestInstruction,
  longestQuestion,
  searchModes,
  toleranceSchema,
} from './question.ts'

export const seatInputSchema = z.union([
  z.string().min(1).max(longestName),
  z.strictObject({
    model: z.string().min(1).max(longestName),
    name: z.string().min(1).max(longestName).optional(),
    brief: z.string().max(longestText).optional(),
    /** Whether its model takes pictures. If left out: as far as it is known. */
    sees: z.boolean().optional(),
    ...voiceSchema.shape,
  }),
])
export type SeatInput = z.infer<typeof seatInputSchema>

/** Characters of a person's name. */
export const longestPersonName = 100

const personName = z.string().trim().min(1).max(longestPersonName)

/**
 * A person as somebody writes them: a name, or a name with seconds of their own for each answer. A `program` gets no link:
 * it hands in its answers through the API.
 */
export const personInputSchema = z.union([
  personName,
  z.strictObject({
    name: personName,
    deadline: z.number().positive().max(longestDeadline).optional(),
    program: z.boolean().optional(),
  }),
])
export type PersonInput = z.infer<typeof personInputSchema>

// askInput: What a person asks for: the same from the library, over HTTP and in a page.

export { mostRounds, mostSeats }

/** Without defaults: a fork must not mistake a default for something that was asked for. */
export const wishSchema = z.object({
  question: z.string(),
  /**
   * "Claude Sonnet 4.6", `anthropic/claude-sonnet-4-6`, `lab/model-name`, or an object that adds a name and a
   * brief of its own. If left out: the strongest model of each maker that can be reached.
   */
  seats: z
    .array(seatInputSchema)
    .min(1, 'The table has no seats: name at least one model, such as lab/model-name.')
    .max(mostSeats, `A table has at most ${mostSeats} seats.`)
    .readonly()
    .optional(),
  /** Instead of seats: `frontier`, `open-weights`, `fast` or `local`. */
  lineup: z.string().optional(),
  /**
   * Who holds a seat beside the models: people, who each get a link for that seat, and programs. `person:<name>` and `me` among
   * the seats mean the same.
   */
  people: z.array(personInputSchema).max(20).readonly().optional(),
  /** Seconds for the answer of a person or a program. If left out: an hour. */
  personDeadline: z
    .number()
    .positive()
    .max(longestDeadline, `A deadline is at most ${longestDeadline} seconds.`)
    .optional(),
  /** For every seat that has no settings of its own. */
  ...voiceSchema.shape,
  /** Null: no moderator, so code writes the report. If left out: a strong model that has no seat. */
  moderator: z.string().nullable().optional(),
  protocol: z.string().optional(),
  rounds: z.number().int().min(0).max(mostRounds, `There are at most ${mostRounds} open rounds.`).optional(),
  format: z.enum(formats).optional(),
  /** What kind of question it is. If left out, the moderator decides. */
  kind: z.enum(kinds).optional(),
  options: z.array(z.string()).readonly().optional(),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log']).optional(),
  /** How far apart two numbers may be and count as the same: an amount in the unit, or a percentage such as "10%". */
  tolerance: toleranceSchema.optional(),
  /** Of a text, in words. */
  length: lengthSchema.optional(),
  /** Group texts by what they want. Without it they aren't grouped. */
  camps: z.literal('intent').optional(),
  /** Files and texts that the seats are to read, and may cite. */
  attachments: z.array(attachmentWishSchema).readonly().optional(),
  /** Whether seats are asked to cite the attachments. If left out: yes. */
  citations: z.boolean().optional(),
  /** If the attachments don't fit a model: whether seats get passages of them instead. If left out: it is refused. */
  excerpts: z.boolean().optional(),
  /**
   * Search the web: `shared` makes one search for all seats before the first round, `native` has each seat search with its
   * maker's own tool. If left out: off.
   */
  search: z.enum(searchModes).optional(),
  /** Whether pages that answers cite are fetched, to look the words up. If left out: yes. */
  fetch: z.boolean().optional(),
  /** How the asker wants to be answered. */
  instruction: z.string().optional(),
  names: z.enum(['hidden', 'shown']).optional(),
  language: z.string().optional(),
  /** Dollars, or dollars and tokens. */
  budget: z
    .union([
      z.number().positive(),
      z.object({ usd: z.number().positive().optional(), tokens: z.number().positive().optional() }),
    ])
    .optional(),
  /** Seconds for one answer. */
  deadline: z
    .number()
    .positive()
    .max(longestDeadline, `A deadline is at most ${longestDeadline} seconds.`)
    .optional(),
  /** How many times as long as the others a seat may take before the table goes on without it. If left out: it waits. */
  patience: z
    .number()
    .min(1, 'A patience is at least 1.')
    .max(mostPatience, `A patience is at most ${mostPatience}.`)
    .optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  /** The seats write letters to their successors: the session becomes a book. */
  book: bookSchema.optional(),
  /** Books of letters, by the ids of their sessions: before the sealed round each seat reads the letters of its line. */
  letters: z.array(z.string().trim().min(1).max(200)).max(20).readonly().optional(),
  /** Whether the resolved sessions of the archive count: for the rules that weigh votes by track record, and for how often such tables were right. */
  record: z.boolean().optional(),
  /** The id of a finished session that this question follows on from. Its table is kept unless another one is named. */
  after: z.string().max(100).optional(),
  /** What seats are told of the sessions before. If left out: their verdicts and camps. */
  carry: z.enum(carries).optional(),
  /** The id of the session whose question this is, changed or for another table: a fork from the start. */
  forkedFrom: z.string().max(100).optional(),
})

/** Options without a format mean a choice; a unit, a scale or a tolerance means a number; a length means a text. */
export const formatFor = (
  wish: Partial<Record<'options' | 'unit' | 'scale' | 'tolerance' | 'length' | 'camps', unknown>> & {
    readonly format?: Format | undefined
  },
): Format => {
  if (wish.format !== undefined) return wish.format
  if (wish.options !== undefined) return 'choice'
  if ((wish.unit ?? wish.scale ?? wish.tolerance) !== undefined) return 'number'
  return (wish.length ?? wish.camps) === undefined ? 'open' : 'text'
}

// savedDefaults: What a person sets once for all questions, and the form of a key.

/** A line break in a key would add a header to every call. */
export const keySchema = z
  .string()
  .trim()
  .min(1, 'Enter the key.')
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, 'A key has no spaces and only plain characters. Copy it again.')

/** The end of a key, by which its owner knows it. The end of a short one would be too much of it. */
export const keyEnding = (key: string): string => (key.length < 12 ? '…' : `…${key.slice(-4)}`)

/** A field that is left out has the program's default. */
export const savedDefaultsSchema = z.strictObject({
  seats: z.array(seatInputSchema).min(1).max(mostSeats).optional(),
  /** Null: nobody moderates. */
  moderator: z.string().min(1).max(300).nullable().optional(),
  /** Seconds for one answer. */
  deadline: z.number().positive().max(longestDeadline).optional(),
  /** In dollars. */
  budget: z.number().positive().optional(),
})
export type SavedDefaults = z.infer<typeof savedDefaultsSchema>
export const savedDefaultNames = savedDefaultsSchema.keyof().options

// template: A question to be asked often: with blanks, and with the format, table and protocol that suit it.

export const templateSchema = z.strictObject({
  /** What it is for, in one line. */
  about: z.string().max(300).optional(),
  ...wishSchema.pick({
    seats: true,
    lineup: true,
    temperature: true,
    effort: true,
    moderator: true,
    protocol: true,
    rounds: true,
    format: true,
    kind: true,
    options: true,
    scale: true,
    tolerance: true,
    length: true,
    camps: true,
    names: true,
    language: true,
    budget: true,
    deadline: true,
    patience: true,
    search: true,
    fetch: true,
  }).shape,
  question: z
    .string()
    .trim()
    .min(1, 'A template needs a question. Write blanks as {{name}}.')
    .max(longestQuestion),
  unit: z.string().max(200).optional(),
  instruction: z.string().max(longestInstruction).optional(),
})
export type Template = z.infer<typeof templateSchema>

/** What the blanks of a template are filled with, by name. */
export const fillSchema = z.record(z.string().max(40), z.string().max(20_000))

/** It becomes the name of a file. */
export const templateNameSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u,
    'Use letters, digits, spaces, "-" and "_", at most 60, and begin with a letter or digit.',
  )
