/** The format of a session's JSON document, version 1. `docs/session-json.md` describes it. */
import { z } from 'zod'
import { directions, moves } from '../core/camps/moves.ts'
import { modelErrorSchema } from '../core/errors.ts'
import { bookSchema, lettersReadSchema } from '../core/letters/book.ts'
import {
  afterSchema,
  budgetSchema,
  changeWords,
  digestSchema,
  forkedFromSchema,
  importedSchema,
  linkKinds,
  logSchema,
  outcomes,
  reportSchema,
  seatSchema,
  stopReasons,
} from '../core/log/event.ts'
import { timingSchema, usageSchema } from '../core/log/spent.ts'
import { answerSchema, creditSchema } from '../core/question/answer.ts'
import { excerptsSchema } from '../core/question/excerpts.ts'
import { kindSources, kinds } from '../core/question/kind.ts'
import { attachmentSchema, formats, lengthSchema, toleranceSchema } from '../core/question/question.ts'
import { sourceSchema } from '../core/question/source.ts'
import { storedFileSchema } from '../core/question/stored-file.ts'
import { sealedSplits } from '../core/track-record/split.ts'
import { levels } from '../core/verdict/tally.ts'

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
  answered: z.number(),
  leading: z.string().nullable(),
  camps: list(campSchema),
  /** Pairs of camps of which neither denies the other. */
  compatible: list(z.tuple([z.string(), z.string()]).readonly()).optional(),
  silent: list(z.string()),
  abstained: list(z.string()),
  ranking: list(z.string()).optional(),
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
  others: list(z.object({ rule: z.string(), answer: z.string().nullable() })).default([]),
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
  /** What seats may stake, by id; 1 for a seat that is not named. */
  purses: z.record(z.string(), z.number()).optional(),
  seats: list(seatSchema),
  rounds: list(roundSchema),
  verdict: verdictSchema,
  /** While the session runs: the count of its last closed round, which may still change. */
  provisional: z
    .object({
      round: z.number().int().nonnegative(),
      level: z.enum(levels).nullable(),
      agree: z.number(),
      of: z.number(),
      line: z.string(),
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
  /** The session is a book of letters, and when it was opened if it was sealed. */
  book: bookSchema.extend({ openedAt: z.string().optional() }).optional(),
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
