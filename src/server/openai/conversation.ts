/** From a chat to a question: its last user message, with what was said before as an attachment. */
import type { SentMessage } from '../../api/index.ts'
import type { Session } from '../../core/log/state.ts'
import type { AttachmentWish } from '../../core/question/attachment-wish.ts'
import { longestInstruction } from '../../core/question/question.ts'
import { answerText } from '../../core/wording/answer-text.ts'
import type { AskInput } from '../../table/index.ts'
import { wrongField } from './errors.ts'
import { filesIn } from './sent-files.ts'

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
