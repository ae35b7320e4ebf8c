/** Chat programs ask the same model for titles, tags and follow-ups. Such a chore gets one call of the moderator. */
import { z } from 'zod'
import type { SentMessage } from '../../api/index.ts'
import { shapeOf } from '../../core/question/form.ts'
import type { Prompt } from '../../protocols/protocol.ts'
import type { Opening } from '../../table/index.ts'
import type { Service } from '../service.ts'
import { type AnswerForm, failedCall, readForm } from './answer-form.ts'
import { textOf } from './conversation.ts'
import { sumOf, type Telling } from './telling.ts'

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
