/** What a person asks for, as every face hands it in. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { letterSchema } from '../core/letters/book.ts'
import { wishSchema } from '../core/question/ask-input.ts'
import type { SeatInput } from '../core/question/seat-input.ts'

export const askInputSchema = wishSchema.extend({
  signal: z.instanceof(AbortSignal).optional(),
  /** The letters of the books that `letters` names, once somebody has read them. */
  given: z.array(letterSchema).readonly().optional(),
})
export type AskInput = z.input<typeof askInputSchema>

/** One line for each problem. */
const problemsOf = (error: z.ZodError): string =>
  error.issues
    .map(
      issue =>
        (issue.code === 'custom' || !issue.path.length ? '' : `${issue.path.join('.')}: `) + issue.message,
    )
    .join('\n')

export const checked = <T extends z.ZodType>(schema: T, value: unknown): z.output<T> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new UsageError(problemsOf(result.error))
}

export const modelOf = (seat: SeatInput): string => (typeof seat === 'string' ? seat : seat.model)

/** Whoever is named in a request: the seats, and the moderator. */
export const namesIn = ({ seats = [], moderator }: Pick<AskInput, 'seats' | 'moderator'>): string[] => [
  ...seats.map(modelOf),
  ...(moderator ? [moderator] : []),
]

/** Nobody said who sits at the table. */
export const isOpenTable = ({ seats, lineup }: Pick<AskInput, 'seats' | 'lineup'>): boolean =>
  !seats && lineup === undefined
