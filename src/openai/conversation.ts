/** From a chat to a question: its last user message, with what was said before as an attachment. */

import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ChatBodyInput, ResponsesBodyInput, SentMessage, SentPart, TableReply } from '../api/doors.ts'
import type { Usage } from '../core/event.ts'
import { apply, fold, usageOf } from '../core/fold.ts'
import { shapeOf } from '../core/form.ts'
import { type AttachmentWish, longestInstruction } from '../core/question.ts'
import { isUnreached, type Session, seatOf } from '../core/session.ts'
import { verdictOf } from '../count/verdict.ts'
import { receiptName, receiptSchema } from '../http/guards.ts'
import { refusalFrom } from '../http/log.ts'
import type { Env, Service } from '../http/service.ts'
import { openSession } from '../http/sessions.ts'
import { follow } from '../http/stream.ts'
import { shapedPrompt } from '../protocols/prompt.ts'
import type { Prompt } from '../protocols/protocol.ts'
import { answerText, plainReport } from '../report/report.ts'
import { CallFailed } from '../run/runtime.ts'
import type { AskInput } from '../table/ask.ts'
import type { Opening } from '../table/resolve.ts'
import { lineupIds } from '../table/seats.ts'
import { narrated } from '../words/story.ts'

// errors: Errors in OpenAI's form, so that its clients show the words and know whether to try again.

interface OpenAIErrorFields {
  readonly status: number
  readonly code?: string
  /** Which field of the request is wrong. */
  readonly param?: string
}

/** A request to the OpenAI-compatible endpoint that was not carried out. */
export class OpenAIError extends Error {
  override readonly name = 'OpenAIError'
  readonly status: number
  readonly code: string | null
  readonly param: string | null

  constructor(message: string, { status, code, param }: OpenAIErrorFields) {
    super(message)
    this.status = status
    this.code = code ?? null
    this.param = param ?? null
  }
}

export const wrongField = (param: string, message: string): OpenAIError =>
  new OpenAIError(message, { status: 400, param, code: 'invalid_value' })

const typeFor = (status: number): string => {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** What stands in a body, and in a stream that has begun. */
export const errorBody = (
  error: unknown,
): { readonly status: number; readonly body: object; readonly headers: Readonly<Record<string, string>> } => {
  if (error instanceof OpenAIError) {
    const { status, message, param, code } = error
    return { status, headers: {}, body: { error: { message, type: typeFor(status), param, code } } }
  }
  const refusal = refusalFrom(error)
  // OpenAI answers every mistake in a body with 400.
  const status = refusal.status === 422 ? 400 : refusal.status
  const param = refusal.errors?.[0]?.path || null
  const code = refusal.kind ?? null
  return {
    status,
    headers: refusal.headers,
    body: { error: { message: refusal.message, type: typeFor(status), param, code } },
  }
}

export const errorResponse = (error: unknown): Response => {
  const { status, body, headers } = errorBody(error)
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

// answerForm: `response_format`: the final answer in a form of the asker's. The moderator words it, code checks it.

/** `json`: any JSON object, which code writes. */
export type AnswerForm =
  | 'json'
  | { readonly name: string; readonly json: Readonly<Record<string, unknown>>; readonly schema: z.ZodType }

const deepestSchema = 20
const longestSchema = 50_000

/** A pattern of a stranger can take forever to match. */
const unusable = (value: unknown, depth = 0): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > deepestSchema) return `it is nested more than ${deepestSchema} deep`
  if ('pattern' in value && typeof value.pattern === 'string')
    return 'it has a "pattern", which is not supported'
  if ('patternProperties' in value) return 'it has "patternProperties", which are not supported'
  for (const one of Object.values(value)) {
    const problem = unusable(one, depth + 1)
    if (problem) return problem
  }
  return undefined
}

const checkedForm = (name: string, json: Readonly<Record<string, unknown>>, field: string): AnswerForm => {
  const refuse = (why: string): OpenAIError => wrongField(field, `The schema can't be used: ${why}.`)
  if (json.type !== 'object') throw refuse('its type must be "object"')
  if (JSON.stringify(json).length > longestSchema)
    throw refuse(`it has more than ${longestSchema} characters`)
  const problem = unusable(json)
  if (problem) throw refuse(problem)
  try {
    return { name, json, schema: z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]) }
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.slice(0, 200) : 'it is not a JSON schema')
  }
}

const nameFrom = (name: string | undefined): string => (name && /^[\w-]{1,60}$/.test(name) ? name : 'answer')

export const chatForm = ({ response_format: format }: ChatBodyInput): AnswerForm | undefined => {
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  const { name, schema } = format.json_schema
  return checkedForm(nameFrom(name), schema, 'response_format.json_schema.schema')
}

export const responsesForm = ({ text }: ResponsesBodyInput): AnswerForm | undefined => {
  const format = text?.format
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return undefined
  return checkedForm(nameFrom(format.name), format.schema, 'text.format.schema')
}

export interface InForm {
  readonly text: string
  readonly usage?: Usage
}

const plainForm = (session: Session): InForm => {
  const { level, line, dissent } = verdictOf(session)
  const { answer } = session.report ?? plainReport(session)
  return {
    text: JSON.stringify({ answer, line, level, dissent: dissent.map(seat => seatOf(session, seat).name) }),
  }
}

/** What a model's reply must be to be in the form. */
export const readForm =
  ({ schema }: Exclude<AnswerForm, 'json'>) =>
  (raw: Record<string, unknown>): string | { readonly problem: string } => {
    const read = schema.safeParse(raw)
    return read.success ? JSON.stringify(raw) : { problem: z.prettifyError(read.error).slice(0, 500) }
  }

export const failedCall = (error: unknown): unknown =>
  error instanceof CallFailed
    ? new OpenAIError(error.message, {
        status: error.budget ? 400 : 502,
        code: error.budget ? 'budget_reached' : 'moderator_failed',
      })
    : error

/** Who words the form. A table without a moderator has nobody for it. */
export const needsModerator = (
  form: AnswerForm | undefined,
  moderator: string | null,
  field: string,
): void => {
  if (form && form !== 'json' && moderator === null)
    throw wrongField(
      field,
      'A schema needs a moderator to word the answer: name one in roundtable.moderator.',
    )
}

export const inForm = async (
  service: Service,
  session: Session,
  form: AnswerForm,
  signal: AbortSignal,
): Promise<InForm> => {
  if (form === 'json') return plainForm(session)
  const call = {
    model: session.moderator ?? '',
    prompt: shapedPrompt(session, form.name, form.json),
    deadline: session.deadline,
    budget: session.budget,
    after: session,
    read: readForm(form),
  }
  try {
    const { value, usage } = await service.call<string>(call, signal)
    return { text: value, ...(usage && { usage }) }
  } catch (error) {
    throw failedCall(error)
  }
}

// sentFiles: Pictures and files in the messages of a chat: each becomes an exhibit.

/** A file as clients write it: "data:image/png;base64,…". */
const dataAddress = /^data:([a-z]+\/[a-z0-9.+-]{1,100})?(?:;[a-z]+=[^;,]{1,100})?;base64,/i

interface Sent {
  readonly address: string | undefined
  readonly name?: string | undefined
}

/** Undefined if the part is a text. */
const sentIn = (part: SentPart): Sent | undefined => {
  if (part.type === 'image_url' || part.type === 'input_image') {
    const { image_url: image } = part
    return { address: typeof image === 'string' ? image : image?.url }
  }
  if (part.type === 'file') return { address: part.file?.file_data, name: part.file?.filename }
  if (part.type === 'input_file') return { address: part.file_data, name: part.filename }
  return undefined
}

const wishFor = ({ address, name }: Sent, number: number, field: string): AttachmentWish => {
  const head = dataAddress.exec(address ?? '')
  if (!head || address === undefined)
    throw wrongField(
      field,
      'Send pictures and files inside the request, as "data:…;base64,…". Nothing is fetched from other addresses.',
    )
  const [, kind = ''] = head[1]?.split('/') ?? []
  return { name: name ?? `picture ${number}.${kind}`, data: address.slice(head[0].length) }
}

/** In the order in which they were sent: those of earlier messages too, because the question may be about them. */
export const filesIn = (messages: readonly SentMessage[], field: string): AttachmentWish[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap(part => sentIn(part) ?? [])
    .map((sent, index) => wishFor(sent, index + 1, field))

export type Conversation = Pick<AskInput, 'question' | 'instruction' | 'attachments' | 'citations'>

/** The name of the attachment that holds what was said before. */
const earlier = 'earlier in this conversation'
/** Of what was said before, the last part is kept. */
const longestContext = 200_000

export const textOf = ({ content }: SentMessage): string =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .flatMap(part => ('text' in part || 'refusal' in part ? String(part.text ?? part.refusal ?? '') : []))
        .join('\n')

const isInstruction = ({ role }: SentMessage): boolean => role === 'system' || role === 'developer'

const speakers: Partial<Record<SentMessage['role'], string>> = { user: 'User', assistant: 'Assistant' }

const turnText = (message: SentMessage): string[] => {
  const text = textOf(message).trim()
  return text === '' ? [] : [`${speakers[message.role] ?? 'Tool'}: ${text}`]
}

/** What was said and shown before the messages of a request. */
export interface Before {
  readonly turns: readonly string[]
  readonly files: readonly AttachmentWish[]
}

const nothing: Before = { turns: [], files: [] }

/** What an earlier session adds to the context of the next: its own context, its question, its answer and its files. */
export const beforeFrom = (session: Session): Before => ({
  turns: [
    ...session.question.attachments.filter(({ name }) => name === earlier).map(({ text }) => text),
    `User: ${session.question.text}`,
    `Assistant: ${answerText(session)}`,
  ],
  files: session.question.attachments.flatMap(one => (one.sha256 ? [{ ...one, session: session.id }] : [])),
})

/** `field`: where the messages stand in the request. */
export const conversationOf = (
  messages: readonly SentMessage[],
  field: string,
  context: Before = nothing,
  instructions = '',
): Conversation => {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const question = at < 0 ? '' : textOf(messages[at]!).trim()
  if (question === '')
    throw wrongField(field, 'There is no user message with text: the last one is the question.')
  const instruction = [instructions, ...messages.filter(isInstruction).map(textOf)].join('\n\n').trim()
  if (instruction.length > longestInstruction)
    throw wrongField(field, `The system message has more than ${longestInstruction} characters. Shorten it.`)
  const before = messages.filter((message, index) => index !== at && !isInstruction(message))
  const text = [...context.turns, ...before.flatMap(turnText)].join('\n\n').slice(-longestContext)
  const files = [...context.files, ...filesIn(messages, field)]
  const attachments = [...files, ...(text === '' ? [] : [{ name: earlier, text }])]
  return {
    question,
    ...(instruction !== '' && { instruction }),
    ...(attachments.length > 0 && { attachments }),
    // What was said before is no evidence, and nobody needs to cite it.
    ...(files.length === 0 && text !== '' && { citations: false }),
  }
}

// telling: What a reply is made of, whichever format it is written in: the debate piece by piece, then the end.

export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
}

export interface Told {
  readonly content: string
  readonly usage: TokenCounts
  /** Length: the budget was reached first. */
  readonly finish: 'stop' | 'length'
  readonly table?: TableReply
}

/** Yields the debate, and returns the end. Throws OpenAIError if there is no answer. */
export type Telling = AsyncGenerator<string, Told>

export const tableReplyOf = (session: Session, origin: string): TableReply => {
  const { level, line, flags, final } = verdictOf(session)
  return {
    session: session.id,
    url: `${origin}/s/${session.id}`,
    level,
    line,
    flags: [...flags],
    silent: (final?.silent ?? []).map(seat => seatOf(session, seat).name),
  }
}

/** The session's answer, or why there is none. */
export const endOf = (session: Session): { readonly content: string; readonly finish: Told['finish'] } => {
  switch (session.outcome) {
    case undefined:
      throw new OpenAIError(
        `The server is stopping. Session ${session.id} continues when it is started again: send the same request then.`,
        { status: 503, code: 'stopping' },
      )
    case 'failed':
      throw new OpenAIError(session.stopped?.words ?? 'The session could not be run.', {
        ...(isUnreached(session)
          ? { status: 503, code: 'no_quorum' }
          : { status: 500, code: 'session_failed' }),
      })
    case 'no-quorum':
      throw new OpenAIError(verdictOf(session).line, { status: 503, code: 'no_quorum' })
    case 'budget':
      return { content: answerText(session), finish: 'length' }
    case 'verdict':
    case 'interrupted':
      return { content: answerText(session), finish: 'stop' }
    default:
      return session.outcome satisfies never
  }
}

export interface TellingOptions {
  readonly origin: string
  readonly form: AnswerForm | undefined
  readonly signal: AbortSignal
}

/** Until somebody has answered, nothing is told: a table where everybody fails is an error, not a reply. */
export async function* tellSession(service: Service, id: string, options: TellingOptions): Telling {
  const { origin, form, signal } = options
  let session: Session | undefined
  let held: string[] | undefined = []
  for await (const event of follow(service.engine, id, signal)) {
    const before = session
    session = apply(before, event)
    const lines = narrated(before, session, event)
    if (held) held.push(...lines)
    else if (lines.length > 0) yield `${lines.join('\n')}\n`
    if (held && event.type === 'answer-given') {
      yield `${held.join('\n')}\n`
      held = undefined
    }
  }
  if (!session) throw new OpenAIError(`There is no session "${id}".`, { status: 404, code: 'not_found' })
  const { content, finish } = endOf(session)
  const table = tableReplyOf(session, origin)
  const usage = usageOf(session)
  if (!form) return { content, finish, usage, table }
  const formed = await inForm(service, session, form, signal)
  return { content: formed.text, finish, usage: sumOf(usage, formed.usage), table }
}

export const sumOf = (one: TokenCounts, other: Partial<TokenCounts> = {}): TokenCounts => ({
  inputTokens: one.inputTokens + (other.inputTokens ?? 0),
  outputTokens: one.outputTokens + (other.outputTokens ?? 0),
  cachedTokens: one.cachedTokens + (other.cachedTokens ?? 0),
  reasoningTokens: one.reasoningTokens + (other.reasoningTokens ?? 0),
})

// chore: Chat programs ask the same model for titles, tags and follow-ups. Such a chore gets one call of the moderator.

const replySchema = z.object({ reply: z.string().describe('Your whole reply, as the request wants it.') })
const plainShape = shapeOf('reply', replySchema)

const readReply = (raw: Record<string, unknown>): string | { readonly problem: string } => {
  const read = replySchema.safeParse(raw)
  return read.success ? read.data.reply : { problem: 'the reply is missing' }
}

const promptFor = (messages: readonly SentMessage[], form: AnswerForm | undefined): Prompt => {
  const own = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf)
  const said = messages.filter(({ role }) => role !== 'system' && role !== 'developer')
  return {
    system: [...own, 'Reply with one JSON object of the given form and nothing else.'].join('\n\n'),
    user: said.map(message => `${message.role}: ${textOf(message)}`),
    shape: form && form !== 'json' ? { name: form.name, json: form.json } : plainShape,
  }
}

const none = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 }

/** The moderator that the table would have, or the first seat of a table that has none. */
export const chorer = ({ opened }: Opening): string => opened.moderator ?? opened.seats[0]!.model

/** Nothing is told before the reply. */
export async function* tellChore(
  service: Service,
  opening: Opening,
  messages: readonly SentMessage[],
  form: AnswerForm | undefined,
  signal: AbortSignal,
): Telling {
  yield* []
  const { deadline, budget } = opening.opened
  const read = form && form !== 'json' ? readForm(form) : readReply
  const call = { model: chorer(opening), prompt: promptFor(messages, form), deadline, budget, read }
  try {
    const { value, usage } = await service.call<string>(call, signal)
    return { content: value, finish: 'stop', usage: sumOf(none, usage) }
  } catch (error) {
    throw failedCall(error)
  }
}

// joining: Clients send a request again if they think that it timed out. It joins the session that the first one opened, so that
// no table is asked and paid for twice.

const fingerprintOf = (input: AskInput): string =>
  createHash('sha256').update(JSON.stringify(input)).digest('base64url')

/** OpenAI's clients say so. */
const isRetry = (context: Context<Env>): boolean =>
  Number(context.req.header('x-stainless-retry-count') ?? 0) > 0

/** The id of the session: a new one, or one that the same request opened and that still runs. */
export const openOrJoin = async (
  service: Service,
  input: AskInput,
  context: Context<Env>,
): Promise<string> => {
  const { archive } = service.engine
  const fingerprint = fingerprintOf(input)
  const name = receiptName('chat', fingerprint)
  const own = { fingerprint, id: service.newId(), at: service.clock(), reply: null }
  const stored = receiptSchema.parse(await archive.addSetting(name, own))
  let { id } = stored
  const log = id === own.id ? [] : await archive.read(id)
  if (log.length > 0) {
    if (fold(log).outcome === undefined || isRetry(context)) return id
    await archive.saveSetting(name, own)
    id = own.id
  }
  try {
    // The same id if the first request was cut off before it opened its session.
    return await openSession(service, input, id)
  } catch (error) {
    await archive.removeSetting(name)
    throw error
  }
}

// modelNames: What a model name of the OpenAI-compatible endpoint stands for: a table, or its moderator alone.

export interface NamedTable {
  readonly lineup?: string
  readonly protocol?: string
  /** One call of the moderator instead of a session. */
  readonly moderatorOnly?: true
}

const family = 'roundtable'
const moderatorName = `${family}/moderator`

const unknownModel = (name: string): OpenAIError =>
  new OpenAIError(
    `The model "${name}" does not exist. GET /v1/models lists all; add ":protocol" to choose how the table deliberates.`,
    { status: 404, code: 'model_not_found', param: 'model' },
  )

const lineupNames = async ({ reach, asker }: Service): Promise<string[]> => [
  ...new Set([
    ...Object.keys(await asker.lineups()),
    ...Object.keys(reach.usual.lineups ?? {}),
    ...lineupIds,
  ]),
]

/** `roundtable`, `roundtable/<lineup>`, `roundtable/<lineup>:<protocol>`, or the line-up alone. */
export const tableNamed = async (name: string, service: Service): Promise<NamedTable> => {
  if (name === moderatorName) return { moderatorOnly: true }
  const colon = name.lastIndexOf(':')
  const id = name.slice(colon + 1)
  const known = colon > 0 && service.reach.protocols.some(protocol => protocol.id === id)
  const table = known ? name.slice(0, colon) : name
  const protocol = known ? { protocol: id } : {}
  if (table === family) return protocol
  const lineup = table.startsWith(`${family}/`) ? table.slice(family.length + 1) : table
  if (!(await lineupNames(service)).includes(lineup)) throw unknownModel(name)
  return { lineup, ...protocol }
}

export const modelNames = async (service: Service): Promise<string[]> => [
  family,
  moderatorName,
  ...(await lineupNames(service)).map(name => `${family}/${name}`),
]

export const modelEntry = (id: string) => ({ id, object: 'model', created: 0, owned_by: family })
