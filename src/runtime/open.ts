/** Turns what a person asked for into the event that opens a session, or says what is wrong with it. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import type { Seat, SessionOpened } from '../core/event.ts'
import { formats, questionSchema } from '../core/question.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Provider } from '../providers/provider.ts'
import { resolveModel } from './context.ts'
import { languageCode, languageOf } from './language.ts'

const seatInput = z.union([
  z.string().min(1),
  z.object({ model: z.string().min(1), name: z.string().min(1).optional(), brief: z.string().optional() }),
])

export const mostSeats = 200

export const askInputSchema = z.object({
  question: z.string(),
  /** `lab/model-name`, or the same with a name and a brief of its own. */
  seats: z
    .array(seatInput)
    .min(1, 'No seat is taken: name at least one model, such as --seats lab/model-name.')
    .max(mostSeats, `A table has at most ${mostSeats} seats.`)
    .readonly(),
  /** Null or absent: nobody moderates, and code writes the report. */
  moderator: z.string().nullable().optional(),
  protocol: z.string().default(defaultProtocol),
  rounds: z.number().int().min(0).max(4, 'There are at most 4 open rounds.').optional(),
  format: z.enum(formats).default('open'),
  options: z.array(z.string()).readonly().optional(),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log']).optional(),
  attachments: z
    .array(z.object({ name: z.string(), text: z.string() }))
    .readonly()
    .optional(),
  names: z.enum(['hidden', 'shown']).default('hidden'),
  language: z.string().optional(),
  /** Dollars, or dollars and tokens. */
  budget: z
    .union([
      z.number().positive(),
      z.object({ usd: z.number().positive().optional(), tokens: z.number().positive().optional() }),
    ])
    .optional(),
  /** Seconds for one answer. */
  deadline: z.number().positive().default(120),
  seed: z.union([z.string(), z.number()]).optional(),
  signal: z.instanceof(AbortSignal).optional(),
})
export type AskInput = z.input<typeof askInputSchema>

/** One line a problem, in words. */
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

/** A, B, … Z, AA, AB, … */
const aliasFor = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : aliasFor(Math.floor(index / 26) - 1) + letter
}

const seatsFrom = (inputs: readonly z.output<typeof seatInput>[], providers: readonly Provider[]): Seat[] => {
  const taken = new Map<string, number>()
  return inputs.map((input, index) => {
    const { model: fullName, name: wish, brief } = typeof input === 'string' ? { model: input } : input
    const { provider, model } = resolveModel(providers, fullName)
    const { name = model.split('/').at(-1) ?? model, maker } = provider.known(model)
    const base = wish ?? name
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return {
      id: `s${index + 1}`,
      alias: aliasFor(index),
      // The same model may sit twice; people must still be able to tell the two apart.
      name: count === 1 ? base : `${base} (${count})`,
      model: fullName,
      ...(maker && { maker }),
      ...(brief && { brief }),
      ...(provider.scripted && { scripted: true }),
    }
  })
}

const roundsFor = (protocolId: string, wish: number | undefined): number => {
  const { id, rounds } = protocolNamed(protocolId)
  if (wish === undefined) return rounds.usual
  if (wish <= rounds.most) return wish
  throw new UsageError(
    rounds.most === 0
      ? `The protocol ${id} has no open rounds: leave out the rounds, or choose another protocol.`
      : `The protocol ${id} has at most ${rounds.most} open rounds.`,
  )
}

export interface Opening {
  readonly opened: Omit<SessionOpened, 'language'>
  /** The detector is loaded lazily, so the language is known a moment later than the rest. */
  language(): Promise<string | null>
}

/** Throws UsageError at once where the input cannot be asked. */
export const openingOf = (input: AskInput, id: string, providers: readonly Provider[]): Opening => {
  const { budget, language, seed = id, moderator = null, ...wish } = checked(askInputSchema, input)
  const question = checked(questionSchema, { ...wish, text: wish.question })
  const code = language === undefined ? undefined : languageCode(language)
  if (moderator !== null) resolveModel(providers, moderator)
  return {
    opened: {
      type: 'session-opened',
      id,
      question,
      seats: seatsFrom(wish.seats, providers),
      moderator,
      protocol: wish.protocol,
      rounds: roundsFor(wish.protocol, wish.rounds),
      names: wish.names,
      seed: String(seed),
      ...(budget !== undefined && { budget: typeof budget === 'number' ? { usd: budget } : budget }),
      deadline: wish.deadline,
    },
    language: async () => code ?? (await languageOf(question.text)),
  }
}
