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
export const longestInstruction = 20_000
/** Words that a text may be asked to have, and how many if nobody says. */
export const textWords = { least: 20, most: 3_000, usual: 400 } as const

/** "10%", "2.5 %" */
const percentPattern = /^\d{1,6}(?:\.\d{1,6})?\s*%$/

/** Without a schema: the pages, which have none, ask too. */
export const isTolerance = (value: number | string): boolean =>
  typeof value === 'number' ? value > 0 : percentPattern.test(value) && Number.parseFloat(value) > 0

export const isLength = (words: number): boolean =>
  Number.isInteger(words) && words >= textWords.least && words <= textWords.most

/** How far apart two numbers may be and still count as the same: an amount in the unit, or a percentage. */
export const toleranceSchema = z.union([
  z.number().positive('A tolerance is greater than zero.'),
  z
    .string()
    .trim()
    .regex(percentPattern, 'A tolerance is an amount such as 5, or a percentage such as "10%".')
    .refine(text => Number.parseFloat(text) > 0, 'A tolerance is greater than zero.'),
])

export const lengthSchema = z
  .number()
  .int('A length is a whole number of words.')
  .min(textWords.least, `A text has at least ${textWords.least} words.`)
  .max(textWords.most, `A text has at most ${textWords.most} words.`)

export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 digits in lower case, 0 to f.')

/** Where a page, a sheet or a section begins in the text of an exhibit. */
export const placeSchema = z.object({
  /** "p. 3", "Sheet1". */
  label: z.string().max(longestName),
  at: z.number().int().min(0).max(longestAttachment),
})
const mostPlaces = 10_000
const pixels = z.number().int().min(1).max(100_000)

/** What goes with a question. One with a media type is an exhibit: seats may cite it by its number, from 1. */
export const attachmentSchema = z.object({
  name: z.string().min(1).max(longestName),
  /** Empty for a picture. */
  text: z.string().max(longestAttachment).default(''),
  media: z.string().max(longestName).optional(),
  /** Of the bytes, which are kept beside the log. Absent: it was given as text. */
  sha256: sha256Schema.optional(),
  /** Pages or sheets, in the order of the text. Absent: places are lines. */
  places: z.array(placeSchema).max(mostPlaces).readonly().optional(),
  /** Of a picture, in pixels. */
  width: pixels.optional(),
  height: pixels.optional(),
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
    /** Of a number. Absent: it follows from the scale, and from how the answers are rounded. */
    tolerance: toleranceSchema.optional(),
    /** Of a text, in words. Absent: about 400. */
    length: lengthSchema.optional(),
    /** Texts are grouped by what they want only if the asker wishes it. */
    camps: z.literal('intent').optional(),
    attachments: z.array(attachmentSchema).max(mostAttachments).default([]),
    /** How the asker wants to be answered, such as the system message of a chat program. */
    instruction: z
      .string()
      .max(longestInstruction, `An instruction has at most ${longestInstruction} characters.`)
      .optional(),
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
    const goesWith = (format: Format, field: keyof typeof question, what: string): void => {
      if (question.format === format) return
      context.addIssue({
        code: 'custom',
        message: `${what} with the format ${format}.`,
        path: [field],
      })
    }
    if (question.unit !== undefined) goesWith('number', 'unit', 'A unit goes')
    if (question.scale === 'log') goesWith('number', 'scale', 'A log scale goes')
    if (question.tolerance !== undefined) goesWith('number', 'tolerance', 'A tolerance goes')
    if (question.length !== undefined) goesWith('text', 'length', 'A length in words goes')
    if (question.camps !== undefined) goesWith('text', 'camps', 'Camps by intent go')
  })
export type Question = z.output<typeof questionSchema>

/** About how many words a text should have. */
export const wordsFor = ({ length }: Pick<Question, 'length'>): number => length ?? textWords.usual
