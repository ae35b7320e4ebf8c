/** Requests and replies about people at the table: their links, what they are asked, and the asker's words. */
import { z } from 'zod'
import { longestWord } from '../core/log/acts-of-people.ts'
import { longestDeadline } from '../core/log/bounds.ts'
import { answerSchema } from '../core/question/answer.ts'
import { questionSchema } from '../core/question/question.ts'
import { list, plainText } from './common.ts'

/** A person's seat. Whoever has the page at `path` answers for it; null: the link was revoked. */
export const personLinkSchema = z
  .object({ seat: z.string(), name: z.string(), path: z.string().nullable() })
  .meta({ id: 'PersonLink' })
export type PersonLink = z.infer<typeof personLinkSchema>

export const joinBodySchema = z
  .strictObject({
    name: plainText(100).trim().min(1),
    /** Seconds for each answer. If left out: an hour. */
    deadline: z.number().positive().max(longestDeadline).optional(),
  })
  .meta({ id: 'Join' })
export type JoinBody = z.input<typeof joinBodySchema>

/** What the asker adds. `to`: the letter, id or name of one seat; left out: it is for all of them. */
export const sayBodySchema = z
  .strictObject({ words: plainText(longestWord).trim().min(1), to: plainText(200).optional() })
  .meta({ id: 'Say' })
export type SayBody = z.input<typeof sayBodySchema>

const { attachments: _attachments, ...asked } = questionSchema.shape

/** What a person is asked: exactly what a model in the seat would be. */
const turnSchema = z.object({
  round: z.int().nonnegative(),
  /** In ISO 8601. After it, the seat is silent in this round. */
  deadline: z.string(),
  /** The prompt of the seat, word for word. Texts of others stand between marks, one JSON object a line. */
  prompt: z.object({ system: z.string(), user: list(z.string()) }),
  /** The JSON schema of the answer. */
  form: z.record(z.string(), z.unknown()),
  /** The person's last answer; null if there is none. */
  last: answerSchema.nullable(),
})

/** A person's seat, as its holder sees it. Nothing of any peer is in it before the prompt of their turn has it. */
export const personSeatSchema = z
  .object({
    name: z.string(),
    /** The letter of the seat. */
    letter: z.string(),
    question: z.object(asked),
    /** Null: the table is busy, or waits for others. */
    turn: turnSchema.nullable(),
    /** Whether this person has handed in the answer of the latest round. */
    handedIn: z.boolean(),
  })
  .meta({ id: 'PersonSeat' })
export type PersonSeatReply = z.infer<typeof personSeatSchema>
