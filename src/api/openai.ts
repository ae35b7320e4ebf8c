/** Requests to the OpenAI-compatible endpoint. Fields that aren't named here are ignored, as OpenAI's own are by others. */
import { z } from 'zod'
import { wishSchema } from '../core/question/ask-input.ts'

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
