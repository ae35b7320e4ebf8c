/** Arguments and results of the MCP tools. */

import { z } from 'zod'
import { wishSchema } from '../core/ask.ts'
import { outcomes } from '../core/event.ts'
import { levels } from '../count/tally.ts'
import { plainText } from './common.ts'

/** Seconds. Several clients cut a call at 60; one that reports progress may take longer. */
export const longestSilentWait = 45
export const longestWait = 600
export const usualWait = 40

const wait = z
  .number()
  .min(0)
  .max(longestWait)
  .optional()
  .describe(
    `Seconds to wait for the verdict (default ${usualWait}; more than ${longestSilentWait} only with progress).`,
  )

const sessionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'Ids consist of letters, digits, "-" and "_".')
  .describe('The id of the session.')

const wish = wishSchema.shape

/** Without "readOnly": to a strict client that means an argument which it must not send. */
const sent = <Item extends z.ZodType>(list: z.ZodOptional<z.ZodReadonly<Item>>) =>
  list.unwrap().unwrap().optional()

export const askTableSchema = z.strictObject({
  question: z.string().describe('One question that can be understood without this conversation.'),
  options: sent(wish.options).describe('The options of a choice or ranking.'),
  format: wish.format.describe('The kind of answer. Default: open, or choice if there are options.'),
  unit: wish.unit.describe('The unit of a number.'),
  tolerance: wish.tolerance.describe('How far apart two numbers may be and count as the same: 5, or "10%".'),
  length: wish.length.describe('The length of a text in words.'),
  camps: wish.camps.describe('"intent": group texts by what they want.'),
  lineup: wish.lineup.describe('A table by its name.'),
  seats: sent(wish.seats).describe('The models to ask, instead of a line-up; list_models finds them.'),
  // A union, since some clients refuse a type of two names.
  moderator: z
    .union([z.string(), z.null()])
    .optional()
    .describe('The model that groups answers and words the report; null for none.'),
  protocol: wish.protocol.describe('How the models deliberate. Default: hybrid.'),
  rounds: wish.rounds.describe('The most open rounds.'),
  budget: wish.budget.describe('A hard cap: dollars, or {usd, tokens}.'),
  attachments: z
    .array(z.strictObject({ name: z.string(), text: z.string() }))
    .optional()
    .describe('Texts that the models need to read, and may cite.'),
  my_seat: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Your name, if you want a seat too: you get the prompt, and answer with take_seat.'),
  wait,
  stop_if_cancelled: z
    .boolean()
    .optional()
    .describe('Stop the session if this call is cancelled. Default: it goes on.'),
})
export type AskTableInput = z.infer<typeof askTableSchema>

export const waitForTableSchema = z.strictObject({ id: sessionId, wait })

export const takeSeatSchema = z.strictObject({
  id: sessionId,
  round: z.int().min(0).max(20).describe('The round of the prompt.'),
  answer: z.record(z.string(), z.unknown()).describe('Your answer, in the form of the prompt.'),
  wait,
})

export const showSessionSchema = z.strictObject({
  id: sessionId,
  form: z
    .enum(['verdict', 'markdown', 'transcript'])
    .optional()
    .describe('verdict (default): counts and answer; markdown: everything; transcript: plain text.'),
})

export const findSessionsSchema = z.strictObject({
  words: plainText(1_000).optional().describe('Words that must be in the session.'),
  limit: z.int().min(1).max(50).optional().describe('Default 10.'),
  cursor: z.string().max(1_000).optional().describe('The "next" of the page before.'),
})

export const listModelsSchema = z.strictObject({
  search: z.string().max(200).optional().describe('Part of a name or maker.'),
  all: z
    .boolean()
    .optional()
    .describe('Also models that lack a key. Default: only those that can be seated.'),
  limit: z.int().min(1).max(200).optional().describe('Default 30.'),
})

/** What a table came to, or where it stands. */
export const tableResultSchema = z.object({
  status: z.enum(['finished', 'running', 'your-turn']),
  id: z.string(),
  /** The session's page. */
  url: z.string(),
  outcome: z.enum(outcomes).optional(),
  line: z.string().optional(),
  level: z.enum(levels).nullable().optional(),
  answer: z.string().optional(),
  camps: z.array(z.object({ label: z.string(), seats: z.array(z.string()), leads: z.boolean() })).optional(),
  moved: z
    .array(z.object({ seat: z.string(), from: z.string(), to: z.string(), why: z.string() }))
    .optional(),
  dissent: z.array(z.string()).optional(),
  silent: z.array(z.object({ seat: z.string(), why: z.string() })).optional(),
  flags: z.array(z.object({ flag: z.string(), words: z.string() })).optional(),
  cost: z
    .object({ usd: z.number().nullable(), inputTokens: z.number(), outputTokens: z.number() })
    .optional(),
  /** What happened so far, if it is still running. */
  so_far: z.array(z.string()).optional(),
  /** The tool to call next. */
  next: z.enum(['wait_for_table', 'take_seat']).optional(),
  /** What your seat is asked, if it is your turn: exactly what a model in it would be asked. */
  prompt: z.string().optional(),
  /** The JSON schema of your answer. */
  form: z.record(z.string(), z.unknown()).optional(),
  round: z.int().optional(),
  /** In ISO 8601. After it, your seat is silent in this round. */
  deadline: z.string().optional(),
})
export type TableResult = z.infer<typeof tableResultSchema>

export const sessionTextSchema = z.object({ id: z.string(), url: z.string(), text: z.string() })

export const foundSessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      opened_at: z.string(),
      outcome: z.enum(outcomes).nullable(),
      line: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
})

export const listedModelsSchema = z.object({
  models: z.array(
    z.object({ id: z.string(), name: z.string(), maker: z.string(), missing: z.array(z.string()) }),
  ),
  total: z.int(),
})

// openai: Requests to the OpenAI-compatible endpoint. Fields that aren't named here are ignored, as OpenAI's own are by others.

/** What a table is told beyond what OpenAI's format can say. A misspelt field is refused: it would be ignored silently. */
export const tableExtensionSchema = z.strictObject(
  wishSchema.pick({
    seats: true,
    moderator: true,
    protocol: true,
    rounds: true,
    options: true,
    format: true,
    unit: true,
    scale: true,
    tolerance: true,
    length: true,
    camps: true,
    budget: true,
  }).shape,
)
export type TableExtension = z.infer<typeof tableExtensionSchema>

const longestContent = 1_000_000
const mostMessages = 10_000

const text = z.string().max(longestContent)
/** The bytes of a file as base64, which the limit of a body bounds. */
const address = z.string()

const partSchema = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.enum(['text', 'input_text', 'output_text', 'refusal']),
      text: text.optional(),
      refusal: text.optional(),
    }),
    z.looseObject({
      type: z.enum(['image_url', 'input_image']),
      image_url: z.union([address, z.looseObject({ url: address })]).nullish(),
    }),
    z.looseObject({
      type: z.literal('file'),
      file: z.looseObject({ filename: z.string().max(300).optional(), file_data: address.optional() }),
    }),
    z.looseObject({
      type: z.literal('input_file'),
      filename: z.string().max(300).optional(),
      file_data: address.optional(),
    }),
  ],
  'Only text, pictures and files can be read here.',
)
export type SentPart = z.infer<typeof partSchema>

export const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([text, z.array(partSchema).max(mostMessages)]).nullish(),
})
export type SentMessage = z.infer<typeof messageSchema>

const toolChoiceSchema = z.union([z.string(), z.looseObject({ type: z.string() })])

const jsonSchemaSchema = z.record(z.string(), z.unknown())

const asked = {
  model: z.string().min(1).max(300),
  stream: z.boolean().nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  roundtable: tableExtensionSchema.nullish(),
}

export const chatBodySchema = z.looseObject({
  ...asked,
  messages: z.array(messageSchema).min(1).max(mostMessages),
  n: z.literal(1, 'A table gives one answer: leave n out.').nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string().max(100).optional(), schema: jsonSchemaSchema }),
      }),
    ])
    .nullish(),
})
export type ChatBodyInput = z.infer<typeof chatBodySchema>

/** Items that are no messages, such as reasoning of an earlier reply, are left out. */
const inputItemSchema = z.union([
  messageSchema.extend({ type: z.literal('message').optional() }),
  z.looseObject({ type: z.string().refine(type => type !== 'message', 'A message needs a role.') }),
])

export const responsesBodySchema = z.looseObject({
  ...asked,
  input: z.union([z.string().max(longestContent), z.array(inputItemSchema).min(1).max(mostMessages)]),
  instructions: z.string().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().max(200).nullish(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.looseObject({ type: z.literal('text') }),
          z.looseObject({ type: z.literal('json_object') }),
          z.looseObject({
            type: z.literal('json_schema'),
            name: z.string().max(100).optional(),
            schema: jsonSchemaSchema,
          }),
        ])
        .optional(),
    })
    .nullish(),
})
export type ResponsesBodyInput = z.infer<typeof responsesBodySchema>

/** What a reply says about the session behind it. */
export const tableReplySchema = z.object({
  session: z.string(),
  url: z.string(),
  level: z.string().nullable(),
  line: z.string(),
  flags: z.array(z.string()),
  silent: z.array(z.string()),
})
export type TableReply = z.infer<typeof tableReplySchema>
