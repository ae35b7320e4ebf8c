/** The event that opens a session, from a request whose table is settled; or what is wrong with it. Pure. */
import { randomBytes } from 'node:crypto'
import { UsageError } from '../core/errors.ts'
import type { Seat, SessionEvent, SessionOpened } from '../core/log/event.ts'
import { stamped } from '../core/log/stamp.ts'
import { formatFor, mostSeats } from '../core/question/ask-input.ts'
import { checkKind } from '../core/question/kind.ts'
import { type Format, formats, questionSchema } from '../core/question/question.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { languageCode, languageOf } from '../runtime/language.ts'
import { type AskInput, askInputSchema, checked } from './ask-input.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { findModel } from './find-model.ts'
import { type Chosen, lineupNamed, usualSeats } from './lineups.ts'
import { moderatorFor } from './moderator.ts'
import { attachmentsIn, filesIn } from './opening-files.ts'
import type { Reach } from './reach.ts'
import { outsideSeats, type Sitting, seatsFrom, sittingFor } from './seats.ts'

export interface Opening {
  /** The request as it was understood, for whoever asks the same table again. */
  readonly input: AskInput
  readonly opened: Omit<SessionOpened, 'language'>
  /** What a person should know about the table before it is asked. */
  readonly notes: readonly string[]
  /** What the session would take. */
  readonly estimate: Estimate
  /** The bytes of its exhibits. They are kept before the first event is. */
  readonly files: readonly StoredFile[]
  /** The first event of the log. The language is detected a moment later than the rest is known. */
  first(clock: () => number): Promise<SessionEvent & SessionOpened>
}

/** Models that a person's own servers are known to have: enough of them to show how a seat is written. */
const examplesOf = ({ providers, served }: Reach): string => {
  const known = providers.flatMap(({ id }) => served(id).map(model => `${id}/${model}`))
  return known.length > 0 ? known.slice(0, 3).join(', ') : `${providers[0]!.id}/model-name`
}

const nobody = (reach: Reach): UsageError =>
  new UsageError(
    reach.providers.length > 0
      ? `Nobody sits at the table: name seats, such as ${examplesOf(reach)}.`
      : 'Nobody sits at the table: set an API key (OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENROUTER_API_KEY, …), or configure a server of your own as an endpoint.',
    'no-seats',
  )

const chosenFor = (lineup: string | undefined, reach: Reach): Chosen => {
  if (lineup !== undefined) return lineupNamed(lineup, reach)
  const seats = usualSeats(reach)
  if (seats) return { seats, notes: [] }
  throw nobody(reach)
}

const panelFor = (
  { seats, lineup }: Pick<AskInput, 'seats' | 'lineup'>,
  reach: Reach,
): { readonly panel: readonly Sitting[]; readonly notes: readonly string[] } => {
  const chosen = seats ? { seats, notes: [] } : chosenFor(lineup, reach)
  return { panel: chosen.seats.map(seat => sittingFor(seat, reach)), notes: chosen.notes }
}

const isSmall = (name: string | null, reach: Reach): boolean => {
  if (name === null) return false
  const { provider, model } = findModel(name, reach)
  return provider.known(model).small === true
}

/** Fences follow from the seed, so it holds 64 random bits. It begins with the id: nobody gave it. */
const seedFor = (id: string): string => `${id} ${randomBytes(8).toString('hex')}`

/** The part of a track record that concerns this table: from then on the log alone gives the verdict. */
const recordFor = (seats: readonly Seat[], record: NonNullable<AskInput['record']>) =>
  Object.fromEntries(seats.flatMap(({ model }) => (record[model] ? [[model, record[model]]] : [])))

const roundsFor = ({ id, rounds }: Protocol, wish: number | undefined): number => {
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

/** Seconds: an hour. */
const usualOutsideDeadline = 3_600

/** What a protocol can't do is said before anybody is asked. */
const checkFormat = ({ id, formats: known = formats }: Protocol, format: Format): void => {
  if (known.includes(format)) return
  const hint = format === 'open' && known.includes('choice') ? 'give options, or choose' : 'choose'
  throw new UsageError(
    `The protocol ${id} takes questions of the format ${known.join(' or ')}, and this one is ${format}: ${hint} another protocol.`,
    'wrong-format',
  )
}

const pursesFor = (seats: readonly Seat[], purses: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    seats.flatMap(({ id, model }) => (purses[model] === undefined ? [] : [[id, purses[model]]])),
  ) as Record<string, number>

/** Throws UsageError if the request can't be asked. `said`: what is to be told of the table already. */
export const openingOf = (
  input: AskInput,
  id: string,
  reach: Reach,
  said: readonly string[] = [],
): Opening => {
  const asked = checked(askInputSchema, input)
  const { budget, language, seed = seedFor(id), moderator, names = 'hidden', ...wish } = asked
  const format = formatFor(wish)
  const attachments = attachmentsIn(wish.attachments ?? [])
  const question = checked(questionSchema, { ...wish, attachments, format, text: wish.question })
  const protocol = protocolNamed(wish.protocol ?? defaultProtocol, reach.protocols)
  checkFormat(protocol, format)
  const code = language === undefined ? undefined : languageCode(language)
  const { panel, notes } = panelFor(wish, reach)
  const { moderator: moderating, notes: onModerator } = moderatorFor(moderator, panel, reach)
  const modelSeats = seatsFrom(panel, wish)
  const seats = [...modelSeats, ...outsideSeats(wish.outside ?? [], modelSeats)]
  if (seats.length > mostSeats) throw new UsageError(`A table has at most ${mostSeats} seats.`)
  const record = recordFor(seats, wish.record ?? {})
  const opened = {
    type: 'session-opened' as const,
    id,
    question,
    ...(wish.kind && { kind: checkKind(wish.kind, format) }),
    seats,
    moderator: moderating,
    ...(isSmall(moderating, reach) && { smallModerator: true }),
    protocol: protocol.id,
    rounds: roundsFor(protocol, wish.rounds),
    names,
    seed: String(seed),
    ...(wish.form && { form: wish.form }),
    ...(budget !== undefined && { budget: typeof budget === 'number' ? { usd: budget } : budget }),
    ...(wish.purses && { purses: pursesFor(seats, wish.purses) }),
    deadline: wish.deadline ?? usualDeadline(seats),
    ...(seats.length > modelSeats.length && {
      outsideDeadline: wish.outsideDeadline ?? usualOutsideDeadline,
    }),
    ...(wish.patience !== undefined && { patience: wish.patience }),
    ...(Object.keys(record).length > 0 && { record }),
    ...(wish.splits && Object.keys(wish.splits).length > 0 && { splits: wish.splits }),
    ...(attachments.length > 0 && wish.citations !== false && { citations: true as const }),
  }
  const all = [...said, ...notes, ...onModerator]
  return {
    input,
    opened,
    notes: all,
    files: filesIn(wish.attachments ?? []),
    estimate: estimateOf(opened, all, reach),
    first: async clock =>
      stamped({ ...opened, language: code ?? (await languageOf(question.text)) }, 0, clock),
  }
}
