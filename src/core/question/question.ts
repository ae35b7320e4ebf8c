/** What is asked: the text, its format and what comes with it. */
import { z } from 'zod'
import { longestName } from '../log/bounds.ts'

export const formats = ['open', 'choice', 'ranking', 'number', 'text'] as const
export type Format = (typeof formats)[number]

export const longestQuestion = 100_000
export const longestAttachment = 1_000_000
export const mostOptions = 20
const longestOption = 10_000
const mostAttachments = 100

export const attachmentSchema = z.object({
  name: z.string().min(1).max(longestName),
  text: z.string().max(longestAttachment),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const questionSchema = z
  .object({
    text: z
      .string()
      .refine(text => text.trim() !== '', 'The question is empty: write what you want to know.')
      .refine(
        text => text.length <= longestQuestion,
        `The question is longer than ${longestQuestion} characters: put the rest into an attachment.`,
      ),
    format: z.enum(formats).default('open'),
    /** The options of a choice, or the items of a ranking. */
    options: z.array(z.string().trim().min(1, 'An option is empty.').max(longestOption)).default([]),
    unit: z.string().max(longestName).optional(),
    scale: z.enum(['linear', 'log']).default('linear'),
    attachments: z.array(attachmentSchema).max(mostAttachments).default([]),
  })
  .superRefine((question, context) => {
    const listed = question.format === 'choice' || question.format === 'ranking'
    const count = question.options.length
    const refuse = (message: string): void => {
      context.addIssue({ code: 'custom', message, path: ['options'] })
    }
    if (listed && (count < 2 || count > mostOptions)) {
      refuse(`A ${question.format} question needs 2 to ${mostOptions} options, and this one has ${count}.`)
    }
    if (!listed && count > 0) {
      refuse(`Options go with the formats choice and ranking, not with ${question.format}.`)
    }
    const names = question.options.map(option => option.toLowerCase())
    if (new Set(names).size !== count) refuse('Two options are the same.')
    if (question.format !== 'number' && question.unit !== undefined) {
      context.addIssue({ code: 'custom', message: 'A unit goes with the format number.', path: ['unit'] })
    }
    if (question.format !== 'number' && question.scale === 'log') {
      context.addIssue({
        code: 'custom',
        message: 'A log scale goes with the format number.',
        path: ['scale'],
      })
    }
  })
export type Question = z.output<typeof questionSchema>
