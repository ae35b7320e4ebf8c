/** Turns what a person asked for into the event that opens a session, or says what is wrong with it. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import type { Seat, SessionOpened, Voice } from '../core/log/event.ts'
import { wishSchema } from '../core/question/ask-input.ts'
import { type Format, formats, questionSchema } from '../core/question/question.ts'
import { type SeatInput, seatInputSchema } from '../core/question/seat-input.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import { languageCode, languageOf } from '../runtime/language.ts'
import type { Reach } from './reach.ts'
import { placeName, placeOf, type ResolvedModel, variableFor } from './seating.ts'
import { type Chosen, lineupNamed, moderatorFor, usualTable } from './usual-table.ts'

export const askInputSchema = wishSchema.extend({
  protocol: z.string().default(defaultProtocol),
  format: wishSchema.shape.format.unwrap().default('open'),
  names: wishSchema.shape.names.unwrap().default('hidden'),
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

interface Sitting extends ResolvedModel {
  readonly wish: Exclude<SeatInput, string>
}

const seatsFrom = (table: readonly Sitting[], voice: Voice): Seat[] => {
  const taken = new Map<string, number>()
  return table.map((sitting, index) => {
    const { provider, model, wish } = sitting
    const { name = model.split('/').at(-1) ?? model, maker, small } = provider.known(model)
    const { brief, name: base = name, temperature = voice.temperature, effort = voice.effort } = wish
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return {
      id: `s${index + 1}`,
      alias: aliasFor(index),
      // The same model may sit twice; people must still be able to tell the two apart.
      name: count === 1 ? base : `${base} (${count})`,
      model: placeName(sitting),
      ...(maker && { maker }),
      ...(brief && { brief }),
      ...(temperature !== undefined && { temperature }),
      ...(effort && { effort }),
      ...(provider.scripted && { scripted: true }),
      ...(small && { small }),
    }
  })
}

/** Whoever takes a seat of a session that was opened before. */
export const newcomerOf = (input: SeatInput, reach: Reach): Omit<Seat, 'id' | 'alias'> => {
  const wish = checked(seatInputSchema, typeof input === 'string' ? { model: input } : input)
  const full = typeof wish === 'string' ? { model: wish } : wish
  const [seat] = seatsFrom([{ ...placeOf(full.model, reach), wish: full }], {})
  const { id: _id, alias: _alias, ...newcomer } = seat!
  return newcomer
}

const nobody = ({ providers }: Reach): UsageError => {
  const ways =
    providers.length > 0
      ? `name seats, such as ${providers[0]!.id}/model-name (\`roundtable models\` lists what there is)`
      : 'set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENROUTER_API_KEY, …), or name a server of your own (ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1")'
  return new UsageError(`Nobody sits at the table: ${ways}, or see it first with \`roundtable tour\`.`)
}

const tableFor = (
  wish: { readonly seats?: readonly SeatInput[]; readonly lineup?: string },
  reach: Reach,
): { readonly table: readonly Sitting[]; readonly notes: readonly string[] } => {
  if (wish.seats && wish.lineup !== undefined)
    throw new UsageError('Seats and a line-up both say who sits at the table: give one of them.')
  const { seats, notes } = wish.seats ? { seats: wish.seats, notes: [] } : chosenFor(wish.lineup, reach)
  const table = seats.map(seat => {
    const full = typeof seat === 'string' ? { model: seat } : seat
    return { ...placeOf(full.model, reach), wish: full }
  })
  return { table, notes }
}

const isConnected =
  ({ connections }: Reach) =>
  (id: string): boolean =>
    connections.some(({ maker }) => maker.id === id)

const chosenFor = (lineup: string | undefined, reach: Reach): Chosen => {
  if (lineup !== undefined) return lineupNamed(lineup, reach.catalogue(), isConnected(reach), variableFor)
  // With nothing but endpoints of one's own, only their owner knows which of their models belong together.
  const chosen = reach.connections.length > 0 ? usualTable(reach.catalogue(), isConnected(reach)) : undefined
  if (chosen) return chosen
  throw nobody(reach)
}

/** What is said at a table of local models does not leave the machine because nobody named a moderator. */
const moderatorOf = (
  wish: string | null | undefined,
  table: readonly Sitting[],
  reach: Reach,
): string | null => {
  if (wish === null) return null
  if (wish !== undefined) return placeName(placeOf(wish, reach))
  const keyed = reach.connections.filter(({ maker }) => maker.keys.length > 0)
  if (!table.some(({ provider }) => keyed.some(one => one.provider === provider))) return null
  return moderatorFor(table.map(placeName), reach.catalogue(), isConnected(reach)) ?? null
}

const isSmall = (name: string | null, reach: Reach): boolean => {
  if (name === null) return false
  const { provider, model } = placeOf(name, reach)
  return provider.known(model).small === true
}

/** The part of a track record that concerns this table: from then on the log alone gives the verdict. */
const recordFor = (seats: readonly Seat[], record: NonNullable<AskInput['record']>) =>
  Object.fromEntries(seats.flatMap(({ model }) => (record[model] ? [[model, record[model]]] : [])))

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

/** Seconds for one answer. A model on this machine costs nothing but time, and other programs may want the cores. */
const usualDeadline = (seats: readonly Seat[]): number => (seats.some(({ small }) => small) ? 300 : 120)

/** What a protocol cannot do is said before anybody is asked. */
const checkFormat = (protocolId: string, format: Format): void => {
  const { id, formats: known = formats } = protocolNamed(protocolId)
  if (known.includes(format)) return
  throw new UsageError(
    `The protocol ${id} takes questions of the format ${known.join(' or ')}, and this one is ${format}: give options with --options, or choose another protocol.`,
  )
}

const pursesFor = (seats: readonly Seat[], purses: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    seats.flatMap(({ id, model }) => (purses[model] === undefined ? [] : [[id, purses[model]]])),
  ) as Record<string, number>

export interface Opening {
  readonly opened: Omit<SessionOpened, 'language'>
  /** What a person should know of the table before it is asked. */
  readonly notes: readonly string[]
  /** The detector is loaded lazily, so the language is known a moment later than the rest. */
  language(): Promise<string | null>
}

/** Throws UsageError at once where the input cannot be asked. */
export const openingOf = (input: AskInput, id: string, reach: Reach): Opening => {
  const { budget, language, seed = id, moderator, ...wish } = checked(askInputSchema, input)
  const question = checked(questionSchema, { ...wish, text: wish.question })
  checkFormat(wish.protocol, question.format)
  const code = language === undefined ? undefined : languageCode(language)
  const { table, notes } = tableFor(wish, reach)
  const moderating = moderatorOf(moderator, table, reach)
  const seats = seatsFrom(table, wish)
  const record = recordFor(seats, wish.record ?? {})
  return {
    opened: {
      type: 'session-opened',
      id,
      question,
      seats,
      moderator: moderating,
      ...(isSmall(moderating, reach) && { smallModerator: true }),
      protocol: wish.protocol,
      rounds: roundsFor(wish.protocol, wish.rounds),
      names: wish.names,
      seed: String(seed),
      ...(budget !== undefined && { budget: typeof budget === 'number' ? { usd: budget } : budget }),
      ...(wish.purses && { purses: pursesFor(seats, wish.purses) }),
      deadline: wish.deadline ?? usualDeadline(seats),
      ...(Object.keys(record).length > 0 && { record }),
    },
    notes,
    language: async () => code ?? (await languageOf(question.text)),
  }
}
