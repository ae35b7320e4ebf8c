/** What a person asks for: the same from the library, over HTTP and in a page. */
import { z } from 'zod'
import { bookSchema } from '../letters/book.ts'
import { longestDeadline, mostPatience, mostRounds, mostSeats } from '../log/bounds.ts'
import { carries, scoreSchema, voiceSchema } from '../log/event.ts'
import { attachmentWishSchema } from './attachment-wish.ts'
import { forms } from './form.ts'
import { kinds } from './kind.ts'
import { type Format, formats, lengthSchema, toleranceSchema } from './question.ts'
import { personInputSchema, seatInputSchema } from './seat-input.ts'
import { searchModes } from './source.ts'

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
  /** Names of those who hold a seat from outside and hand in their answers, beside the models. */
  outside: z.array(z.string().trim().min(1).max(100)).max(20).readonly().optional(),
  /** Seconds for an answer from outside. */
  outsideDeadline: z
    .number()
    .positive()
    .max(longestDeadline, `A deadline is at most ${longestDeadline} seconds.`)
    .optional(),
  /**
   * Names of people who hold a seat, beside the models. Each gets a link for that seat. `person:<name>` and `me` among
   * the seats mean the same.
   */
  people: z.array(personInputSchema).max(20).readonly().optional(),
  /** Seconds for a person's answer. If left out: an hour. */
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
  /** What each model may stake in a market, by `provider/model`; 1 for those not named. */
  purses: z.record(z.string(), z.number().positive()).optional(),
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
  /** Whether seats give their reasons or their answer first. If left out: their reasons. */
  form: z.enum(forms).optional(),
  /** The seats write letters to their successors: the session becomes a book, and may be sealed. */
  book: bookSchema.optional(),
  /** Books of letters, by the ids of their sessions: before the sealed round each seat reads the letters of its line. */
  letters: z.array(z.string().trim().min(1).max(200)).max(20).readonly().optional(),
  /** By model: its score in resolved questions. The rules that weigh votes by track record use it. */
  record: z.record(z.string(), scoreSchema).readonly().optional(),
  /** By how the sealed vote was divided: resolved sessions like that, and how many verdicts were right. */
  splits: z.record(z.string(), scoreSchema).readonly().optional(),
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
