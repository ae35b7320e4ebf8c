/** The event that opens a session, from a request whose table is settled; or what is wrong with it. Pure. */
import { randomBytes } from 'node:crypto'
import { UsageError } from '../core/errors.ts'
import type { After, ForkedFrom, Seat, SessionEvent, SessionOpened } from '../core/log/event.ts'
import { stamped } from '../core/log/stamp.ts'
import { formatFor, mostSeats } from '../core/question/ask-input.ts'
import { checkKind } from '../core/question/kind.ts'
import { type Format, formats, questionSchema } from '../core/question/question.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import { maskedAfter } from '../core/verdict/carry-over.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { isAgentSeat } from '../providers/agents/names.ts'
import { languageCode, languageOf } from '../runtime/language.ts'
import { type AskInput, askInputSchema, checked } from './ask-input.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { findModel } from './find-model.ts'
import { lettersFor } from './letters.ts'
import { type Chosen, lineupNamed, usualSeats } from './lineups.ts'
import { longMaterialOf } from './long-material.ts'
import { moderatorFor } from './moderator.ts'
import { attachmentsIn, filesIn, lostPicture } from './opening-files.ts'
import { peopleSeats, usualPersonDeadline, withPeople } from './people.ts'
import type { Reach } from './reach.ts'
import { searchFor, searchNotes } from './search.ts'
import { outsideSeats, type Sitting, seatsFrom, sittingFor } from './seats.ts'
import { unseenNotes } from './sight.ts'

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
  /** What follows it at once: a fork in the middle begins with a copy of another log. */
  rest?(clock: () => number): readonly SessionEvent[]
}

/** How the new session belongs to others, once they were looked up. */
export interface Links {
  readonly after?: After
  /** The language of the session before, for a question that is too short to tell. */
  readonly language?: string | null
  readonly forkedFrom?: ForkedFrom
  /** What the search of the session before found, if this is a fork with its question. */
  readonly sources?: SessionOpened['sources']
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

/** Seconds for one answer. Models and agents on this machine take longer, and other programs may want the cores. */
const usualDeadline = (seats: readonly Seat[]): number =>
  seats.some(({ small, model }) => small || isAgentSeat(model)) ? 300 : 120

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

/** A book is written by models alone, as texts that nobody groups. */
const checkBook = ({ book, camps, outside = [], people = [] }: AskInput, format: Format): void => {
  if (!book) return
  if (format !== 'text') throw new UsageError('Letters are texts: ask for them with the format text.')
  if (camps) throw new UsageError('Letters are not grouped: leave out the camps.')
  if (book.sealed && outside.length + people.length > 0)
    throw new UsageError('Only models write a sealed book: leave out people and seats from outside.')
}

/** Throws UsageError if the request can't be asked. `said`: what is to be told of the table already. */
export const openingOf = (
  input: AskInput,
  id: string,
  reach: Reach,
  said: readonly string[] = [],
  links: Links = {},
): Opening => {
  const asked = checked(askInputSchema, withPeople(input))
  if (asked.after !== undefined && !links.after)
    throw new UsageError(`There is no session "${asked.after}" to ask on after.`)
  const { budget, language, seed = seedFor(id), moderator, book, ...wish } = asked
  // Whoever writes to a successor may say who it is, and nobody votes.
  const { names = book ? 'shown' : 'hidden' } = wish
  const format = book && wish.format === undefined ? 'text' : formatFor(wish)
  checkBook(asked, format)
  if (wish.letters && !wish.given)
    throw new UsageError(
      'Books of letters are read from an archive, and there is none here: give the letters.',
    )
  const attachments = attachmentsIn(wish.attachments ?? [])
  const question = checked(questionSchema, { ...wish, attachments, format, text: wish.question })
  const protocol = protocolNamed(wish.protocol ?? defaultProtocol, reach.protocols)
  checkFormat(protocol, format)
  const code = language === undefined ? undefined : languageCode(language)
  const { panel, notes } = panelFor(wish, reach)
  const { moderator: moderating, notes: onModerator } = moderatorFor(moderator, panel, reach)
  const modelSeats = seatsFrom(panel, wish, question, reach)
  const others = [...modelSeats, ...outsideSeats(wish.outside ?? [], modelSeats)]
  const personDeadline = wish.personDeadline ?? usualPersonDeadline
  const seats = [...others, ...peopleSeats(wish.people ?? [], others, personDeadline)]
  if (seats.length > mostSeats) throw new UsageError(`A table has at most ${mostSeats} seats.`)
  const { letters, notes: onLetters } = lettersFor(seats, wish.given ?? [], reach.catalogue)
  const searching = searchFor(wish, moderating, reach, links)
  const record = recordFor(seats, wish.record ?? {})
  const whole = {
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
    ...(others.length > modelSeats.length && {
      outsideDeadline: wish.outsideDeadline ?? usualOutsideDeadline,
    }),
    ...(wish.patience !== undefined && { patience: wish.patience }),
    ...(Object.keys(record).length > 0 && { record }),
    ...(wish.splits && Object.keys(wish.splits).length > 0 && { splits: wish.splits }),
    ...(book && { book }),
    ...(letters && { letters }),
    ...(links.after && { after: maskedAfter(links.after, { seats, names, question }) }),
    ...(links.forkedFrom && { forkedFrom: links.forkedFrom }),
    ...((attachments.length > 0 || searching.search) &&
      wish.citations !== false && { citations: true as const }),
    ...searching,
  }
  const long = longMaterialOf(whole, wish.excerpts ?? false, reach)
  const opened = { ...whole, ...(long.excerpts && { excerpts: long.excerpts }) }
  const refusal = lostPicture(question) ?? long.refusal
  const all = [
    ...said,
    ...long.notes,
    ...unseenNotes(seats),
    ...notes,
    ...onModerator,
    ...onLetters,
    ...searchNotes(opened, reach),
  ]
  return {
    input,
    opened,
    notes: all,
    files: filesIn(wish.attachments ?? []),
    estimate: { ...estimateOf(opened, all, reach), ...(long.count && { excerpts: long.count }) },
    first: async clock => {
      // Only now: an estimate says what doesn't fit, and what would.
      if (refusal) throw refusal
      const detected = code ?? (await languageOf(question.text)) ?? links.language ?? null
      return stamped({ ...opened, language: detected }, 0, clock)
    },
  }
}
