/** Before a question is asked, the moderator may propose sharper wordings of it. A person takes, edits or skips them. */
import { z } from 'zod'
import type { Session } from '../core/log/state.ts'
import { normalised } from '../core/question/answer.ts'
import { shapeOf } from '../core/question/form.ts'
import { longestQuestion } from '../core/question/question.ts'
import { inLanguage, questionPart } from './prompt-parts.ts'
import type { Prompt } from './protocol.ts'

export const mostWordings = 3

const replySchema = z.object({
  unclear: z
    .string()
    .describe(
      'What in the question could be read in more than one way, or is missing, in one or two sentences; empty if nothing.',
    ),
  wordings: z
    .array(
      z.object({
        settles: z
          .string()
          .describe('What this wording settles, in one line: a term, a scope, a time, a place, a measure.'),
        wording: z.string().describe('The whole question in the sharper wording, ready to be asked.'),
      }),
    )
    .describe(`At most ${mostWordings}, the most useful first; empty if the question is clear as it is.`),
})

const shape = shapeOf('sharpen', replySchema)

/** Proposals, and what made them worth making. No wordings: the question is clear as it is. */
export interface Sharpening {
  readonly unclear: string
  readonly wordings: readonly { readonly settles: string; readonly wording: string }[]
}

const system = [
  'You help somebody to ask a question well. Several people will then answer it, each on their own.',
  'Reply with one JSON object of the given form and nothing else.',
].join('\n')

export const sharpenPrompt = (session: Session): Prompt => ({
  system,
  user: [
    questionPart(session),
    [
      'Do not answer the question. Read it as somebody would who has to answer it: is there a term that people',
      'understand differently, or is a scope, a time, a place or a measure missing, so that two careful people could',
      'answer differently without disagreeing?',
      `If so, propose at most ${mostWordings} sharper wordings. Each keeps what the person wants to know, settles one`,
      'such thing, and can be asked as it stands. Where you can only guess what is meant, let the wordings differ, so that',
      'the person can choose. Add no assumptions about the answer, and no more words than it takes.',
      ...(session.question.options.length > 0 ? ['The options stay as they are.'] : []),
      'If the question is clear enough to be answered, propose nothing: many questions are.',
      inLanguage(session),
    ].join('\n'),
  ],
  shape,
  maxOutputTokens: 1_500,
})

/** A proposal that says what the person said already is none. */
export const readSharpening = (
  raw: Record<string, unknown>,
  { question }: Pick<Session, 'question'>,
): Sharpening | { readonly problem: string } => {
  const reply = replySchema.partial({ unclear: true }).safeParse(raw)
  if (!reply.success) return { problem: 'wordings with what each settles are missing' }
  const known = new Set([normalised(question.text)])
  const wordings = reply.data.wordings.flatMap(proposed => {
    const [settles, wording] = [proposed.settles.trim(), proposed.wording.trim()]
    const words = normalised(wording)
    if (words === '' || wording.length > longestQuestion || known.has(words)) return []
    known.add(words)
    return [{ settles, wording }]
  })
  return { unclear: reply.data.unclear?.trim() ?? '', wordings: wordings.slice(0, mostWordings) }
}
