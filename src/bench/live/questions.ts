/** Questions with their right answers, one JSON object per line. */
import { z } from 'zod'
import { UsageError } from '../../core/errors.ts'
import { type Answer, normalised } from '../../core/question/answer.ts'
import { formats, type Question, questionSchema } from '../../core/question/question.ts'

const lineSchema = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  question: z.string(),
  format: z.enum(formats).optional(),
  options: z.array(z.string()).optional(),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log']).optional(),
  /** An option or its letter, a number, a whole ranking, or words that an open headline must contain. */
  gold: z.union([z.string().min(1), z.number(), z.array(z.string()).min(1)]),
  /** How far from the right number an answer may be. */
  tolerance: z.number().nonnegative().optional(),
  why: z.string().optional(),
})
type Line = z.output<typeof lineSchema>

export interface GoldQuestion {
  readonly id: string
  readonly question: Question
  readonly gold: string | number | readonly string[]
  readonly tolerance: number
  /** Why it is hard, for people. */
  readonly why?: string
}

const formatOf = ({ format, options, unit, gold }: Line): Question['format'] => {
  if (format) return format
  if (options) return 'choice'
  return unit !== undefined || typeof gold === 'number' ? 'number' : 'open'
}

/** The option itself, or its letter if no option has that name. */
const optionOf = (gold: string, options: readonly string[]): string => {
  const said = options.find(option => normalised(option) === normalised(gold))
  const lettered = /^[A-T]$/.test(gold) ? options[gold.charCodeAt(0) - 65] : undefined
  const found = said ?? lettered
  if (found !== undefined) return found
  throw new UsageError(`the gold answer "${gold}" isn't one of the options`)
}

const goldFor = (question: Question, gold: Line['gold']): GoldQuestion['gold'] => {
  const wrong = (needed: string) =>
    new UsageError(`the gold answer of a ${question.format} must be ${needed}`)
  switch (question.format) {
    case 'choice':
      if (typeof gold !== 'string') throw wrong('one of its options, or the letter of one')
      return optionOf(gold, question.options)
    case 'number':
      if (typeof gold !== 'number') throw wrong('a number')
      return gold
    case 'ranking':
      if (!Array.isArray(gold) || gold.length !== question.options.length) throw wrong('all options in order')
      return gold.map(item => optionOf(item, question.options))
    case 'open':
    case 'text':
      if (typeof gold === 'number') return String(gold)
      return gold
    default:
      return question.format satisfies never
  }
}

const problemOf = (error: unknown): string => {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return `${issue?.path.join('.') || 'the line'}: ${issue?.message}`
  }
  return error instanceof SyntaxError ? "it isn't JSON" : (error as Error).message
}

const questionFrom = (text: string): GoldQuestion => {
  const line = lineSchema.parse(JSON.parse(text))
  const { id, options, unit, scale, tolerance = 0, why } = line
  const question = questionSchema.parse({ text: line.question, format: formatOf(line), options, unit, scale })
  return { id, question, gold: goldFor(question, line.gold), tolerance, ...(why !== undefined && { why }) }
}

export const questionsFrom = (file: string): GoldQuestion[] => {
  const questions = file
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((text, index) => {
      if (text.trim() === '') return []
      try {
        return [questionFrom(text)]
      } catch (error) {
        throw new UsageError(`Line ${index + 1}: ${problemOf(error)}.`)
      }
    })
  const twice = questions.find(({ id }, index) => questions.findIndex(one => one.id === id) !== index)
  if (twice) throw new UsageError(`Two questions have the id ${twice.id}.`)
  if (questions.length < 2)
    throw new UsageError(
      'A bench needs at least two questions: one to choose the best seat, the others to score.',
    )
  return questions
}

const saysWords = (headline: string, gold: string): boolean =>
  ` ${normalised(headline)} `.includes(` ${normalised(gold)} `)

/** Whether an answer is right. An open answer is right if its headline contains the gold words. */
export const isRight = ({ question, gold, tolerance }: GoldQuestion, answer: Answer): boolean => {
  switch (question.format) {
    case 'choice':
      return answer.choice === gold
    case 'number': {
      const off = Math.abs((answer.number ?? Number.NaN) - Number(gold))
      // Without a tolerance, only floating-point rounding is forgiven.
      return off <= Math.max(tolerance, Math.abs(Number(gold)) * 1e-9)
    }
    case 'ranking':
      return JSON.stringify(answer.ranking) === JSON.stringify(gold)
    case 'open':
    case 'text':
      return (Array.isArray(gold) ? gold : [String(gold)]).some(words => saysWords(answer.headline, words))
    default:
      return question.format satisfies never
  }
}
