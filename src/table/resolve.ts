/** What the log and the store keep of a request's attachments. Pure. */

import { randomBytes } from 'node:crypto'
import { commandIn, isAgentSeat } from '../agents/agents.ts'
import { type InstalledAgent, isReady } from '../agents/table.ts'
import { builtIn, type Weights } from '../builtin/provider.ts'
import { formatFor, mostSeats, type SeatInput } from '../core/ask.ts'
import { UsageError } from '../core/basics.ts'
import { type SessionEvent, stamped } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import { fold } from '../core/fold.ts'
import { checkKind } from '../core/form.ts'
import {
  type After,
  type ForkedFrom,
  type Letter,
  type Seat,
  type SessionOpened,
  usualCarry,
} from '../core/opening.ts'
import {
  type Attachment,
  type AttachmentWish,
  askedQuestionSchema,
  type Format,
  formats,
  isPicture,
  mostPictureBytes,
  mostPictures,
  picturesIn,
  type Question,
} from '../core/question.ts'
import type { Session } from '../core/session.ts'
import { scoresOf, type TrackRecord } from '../count/track-record.ts'
import type { EarlierFile } from '../evidence/files.ts'
import type { Provider } from '../models/provider.ts'
import { afterOf, maskedAfter } from '../protocols/carry.ts'
import { defaultProtocol, protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { resolveModel } from '../run/ask.ts'
import { languageCode, languageOf } from '../run/seat.ts'
import {
  type AskInput,
  askInputSchema,
  checked,
  type Filled,
  filledFrom,
  isOpenTable,
  namesIn,
  peopleSeats,
  usualPersonDeadline,
  withPeople,
  withUsual,
} from './ask.ts'
import {
  budgetRefusal,
  type Estimate,
  estimateOf,
  longMaterialOf,
  searchFor,
  searchNotes,
  sourcesOf,
} from './estimate.ts'
import { followUpOf } from './fork.ts'
import type { OpenReach } from './open-reach.ts'
import { type Lineups, type Reach, withWholePath } from './reach.ts'
import {
  type Chosen,
  findModel,
  houseLineup,
  houseTable,
  isAlone,
  lettersFor,
  lineupIds,
  lineupNamed,
  moderatorFor,
  type Sitting,
  seatsFrom,
  sittingFor,
  subscriptionLineup,
  unknownLineup,
  unseenNotes,
  usualSeats,
} from './seats.ts'

/** Bytes that base64 stands for, give or take two. */
const sizeOf = (data: string): number => (data.length * 3) / 4

const checkPictures = (wishes: readonly AttachmentWish[]): void => {
  const pictures = wishes.filter(({ width }) => width !== undefined)
  if (pictures.length > mostPictures)
    throw new UsageError(
      `A question has at most ${mostPictures} pictures, and this one has ${pictures.length}.`,
    )
  const bytes = pictures.reduce((sum, { data = '' }) => sum + sizeOf(data), 0)
  if (bytes > mostPictureBytes)
    throw new UsageError(
      `All pictures of a question have at most ${mostPictureBytes / 1_000_000} MB together: attach fewer, or smaller ones.`,
    )
}

/** An estimate needs no bytes, but seats do. */
export const lostPicture = ({ attachments }: Pick<Question, 'attachments'>): UsageError | undefined => {
  const lost = picturesIn(attachments).find(({ sha256 }) => sha256 === undefined)
  return lost && new UsageError(`The picture ${lost.name} came without its bytes: attach it again.`)
}

/** Text that was handed in as text is an exhibit too; only its bytes are nowhere else. */
export const attachmentsIn = (wishes: readonly AttachmentWish[]): Attachment[] => {
  checkPictures(wishes)
  return wishes.map(({ name, text, data, sha256, places, width, height, media = 'text/plain' }) => {
    if (text === undefined)
      throw new UsageError(`${name} was not read yet: hand its bytes to readExhibit first.`)
    const size = width === undefined || height === undefined ? {} : { width, height }
    return { name, text, media, ...(data !== undefined && { sha256 }), ...(places && { places }), ...size }
  })
}

export const filesIn = (wishes: readonly AttachmentWish[]): StoredFile[] =>
  wishes.flatMap(({ sha256, data, media = 'text/plain' }) =>
    sha256 === undefined || data === undefined ? [] : [{ sha256, media, data }],
  )

// opening: The event that opens a session, from a request whose table is settled; or what is wrong with it. Pure.

export interface Opening {
  /** The request as it was understood, for whoever asks the same table again. */
  readonly input: AskInput
  readonly links: Links
  readonly opened: Omit<SessionOpened, 'language'>
  /** What a person should know about the table before it is asked. */
  readonly notes: readonly string[]
  /** What the session would take. */
  readonly estimate: Estimate
  /** The bytes of its exhibits. They are kept before the first event is. */
  readonly files: readonly StoredFile[]
  /** The first event of the log. The language is detected a moment later than the rest is known. */
  /** `expected`: what it would take, if that isn't what a whole session would. */
  first(clock: () => number, expected?: Estimate): Promise<SessionEvent & SessionOpened>
  /** What follows it at once: a fork in the middle begins with a copy of another log. */
  rest?(clock: () => number): readonly SessionEvent[]
}

/** What is looked up for a request: how the new session belongs to others, and what the archive knows. */
export interface Links {
  readonly after?: After
  /** The language of the session before, for a question that is too short to tell. */
  readonly language?: string | null
  readonly forkedFrom?: ForkedFrom
  /** What the search of the session before found, if this is a fork with its question. */
  readonly sources?: SessionOpened['sources']
  /** What the archive knew of models and tables, if the request asked for it. */
  readonly record?: TrackRecord
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
const recordFor = (seats: readonly Seat[], known: TrackRecord): Pick<SessionOpened, 'record' | 'splits'> => {
  const scores = scoresOf(known)
  const record = Object.fromEntries(
    seats.flatMap(({ model }) => (scores[model] ? [[model, scores[model]]] : [])),
  )
  const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0
  return {
    ...(!isEmpty(record) && { record }),
    ...(!isEmpty(known.splits) && { splits: known.splits }),
  }
}

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

/** What a protocol can't do is said before anybody is asked. */
const checkFormat = ({ id, formats: known = formats }: Protocol, format: Format): void => {
  if (known.includes(format)) return
  const hint = format === 'open' && known.includes('choice') ? 'give options, or choose' : 'choose'
  throw new UsageError(
    `The protocol ${id} takes questions of the format ${known.join(' or ')}, and this one is ${format}: ${hint} another protocol.`,
    'wrong-format',
  )
}

/** A book is written as texts that nobody groups. */
const checkBook = ({ book, camps }: AskInput, format: Format): void => {
  if (!book) return
  if (format !== 'text') throw new UsageError('Letters are texts: ask for them with the format text.')
  if (camps) throw new UsageError('Letters are not grouped: leave out the camps.')
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
  const question = checked(askedQuestionSchema, { ...wish, attachments, format, text: wish.question })
  const protocol = protocolNamed(wish.protocol ?? defaultProtocol, reach.protocols)
  checkFormat(protocol, format)
  const code = language === undefined ? undefined : languageCode(language)
  const { panel, notes } = panelFor(wish, reach)
  const { moderator: moderating, notes: onModerator } = moderatorFor(moderator, panel, reach)
  const modelSeats = seatsFrom(panel, wish, question, reach)
  const personDeadline = wish.personDeadline ?? usualPersonDeadline
  const seats = [...modelSeats, ...peopleSeats(wish.people ?? [], modelSeats, personDeadline)]
  if (seats.length > mostSeats) throw new UsageError(`A table has at most ${mostSeats} seats.`)
  const { letters, notes: onLetters } = lettersFor(seats, wish.given ?? [], reach.catalogue)
  const searching = searchFor(wish, moderating, reach, links)
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
    ...(budget !== undefined && { budget: typeof budget === 'number' ? { usd: budget } : budget }),
    deadline: wish.deadline ?? usualDeadline(seats),
    ...(wish.patience !== undefined && { patience: wish.patience }),
    ...(links.record && recordFor(seats, links.record)),
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
  const estimate = { ...estimateOf(opened, all, reach), ...(long.count && { excerpts: long.count }) }
  return {
    ...{ input, links, opened, notes: all, files: filesIn(wish.attachments ?? []), estimate },
    first: async (clock, expected = estimate) => {
      // Only now: an estimate says what doesn't fit, and what would.
      const refused = refusal ?? budgetRefusal(opened.budget, expected)
      if (refused) throw refused
      const detected = code ?? (await languageOf(question.text)) ?? links.language ?? null
      return stamped({ ...opened, language: detected }, 0, clock)
    },
  }
}

// learntFacts: A server of one's own is asked what its models take, if that decides whether a question can be asked.

/** Characters. Shorter attachments fit every model. */
const longText = 10_000

const isDemanding = ({ opened: { question } }: Opening): boolean =>
  question.attachments.some(isPicture) ||
  question.attachments.reduce((sum, { text }) => sum + text.length, 0) > longText

/** Whether anything was learnt. Each server is asked once, and its providers remember it. */
export const learnFacts = async (opening: Opening, providers: readonly Provider[]): Promise<boolean> => {
  if (!isDemanding(opening)) return false
  const { seats, moderator } = opening.opened
  const models = [
    ...seats.filter(({ outside }) => !outside).map(({ model }) => model),
    moderator ?? [],
  ].flat()
  const unknown = models
    .map(name => resolveModel(providers, name))
    .filter(({ provider, model }) => provider.known(model).context === undefined)
  const found = await Promise.all(unknown.map(({ provider, model }) => provider.facts(model)))
  return found.some(({ context, sees }) => (context ?? sees) !== undefined)
}

// resolveAsk: From a request to an opening: line-ups and files by name, what is configured, the built-in model with consent.

/** Whoever asks, as far as it matters who they are. */
export interface Asker {
  /** Line-ups that were saved on a page. */
  lineups(): Promise<Lineups>
  /**
   * Makes a built-in model ready with the person's consent: the one that was named, or any if nobody else can
   * answer. Throws UsageError if it may not be downloaded.
   */
  builtIn(wanted: Weights | undefined): Promise<Weights>
  /** The letters of a book, by its id. Throws UsageError if there is no such book. */
  letters(book: string): Promise<readonly Letter[]>
  /** Makes the engine ready that runs the person's own files of weights. Throws UsageError if it may not be downloaded. */
  engine(): Promise<void>
  /** The whole log of a session that the request names. Empty if there is none. */
  log(id: string): Promise<readonly SessionEvent[]>
  /** What the sessions that this person may read say about models and tables; on a server, the newest of them. */
  record(newest?: number): Promise<TrackRecord>
  /** Asks the person once whether their agents may be the default table. Undefined: nobody could be asked. */
  agents?(ready: readonly InstalledAgent[]): Promise<boolean | undefined>
  /** Names of seats that the person at this terminal typed: commands among them may be run. */
  readonly typed?: readonly string[]
  /** The bytes of a file of an earlier session. */
  file?: EarlierFile
  /** Whose request it is: people's files take turns. Absent: nobody else asks here. */
  readonly person?: string | undefined
  /** The folder that names of files start in. Absent: a request may not name files of this machine. */
  readonly files?: string
}

const onSeats = (input: AskInput, change: (model: string) => string): AskInput => {
  const seat = (one: SeatInput): SeatInput =>
    typeof one === 'string' ? change(one) : { ...one, model: change(one.model) }
  return {
    ...input,
    ...(input.seats && { seats: input.seats.map(seat) }),
    ...(input.moderator && { moderator: change(input.moderator) }),
  }
}

type Named = Pick<AskInput, 'seats' | 'moderator'>

const knownTo = ({ config }: Pick<OpenReach, 'config'>): string[] => [
  ...builtIn.map(({ id }) => id),
  ...Object.keys(config.house?.models ?? {}),
]

/** Files of this machine that a request or a log names, and the configuration doesn't. */
export const filesNamedBy = (input: Named, reach: Pick<OpenReach, 'config'>): string[] => {
  const known = knownTo(reach)
  return namesIn(input).filter(
    name => /^house[:/]/i.test(name) && !known.includes(name.slice('house/'.length)),
  )
}

/**
 * A request must not name files of this machine: whoever runs the server says which ones there are. A log must not
 * either: it may have been imported.
 */
export const refuseFiles = (input: Named, reach: Pick<OpenReach, 'config'>): void => {
  const [file] = filesNamedBy(input, reach)
  if (file === undefined) return
  throw new UsageError(
    `"${file}" isn't a built-in model here. There are ${knownTo(reach).join(', ')}; others are named in the server's configuration.`,
  )
}

const settledFiles = (input: AskInput, reach: OpenReach, { files }: Asker): AskInput => {
  if (files !== undefined) return onSeats(input, model => withWholePath(model, files))
  refuseFiles(input, reach)
  return input
}

/** The built-in model's own table: by its name, or if nobody is named and nobody else can answer. */
const isHouseTable = (input: AskInput, reach: OpenReach): boolean =>
  input.lineup === houseLineup || (isOpenTable(input) && isAlone(reach) && usualSeats(reach) === undefined)

const withHouse = async ({ input, notes }: Filled, reach: OpenReach, asker: Asker): Promise<Filled> => {
  if (!isHouseTable(input, reach)) return { input, notes }
  const { lineup: _lineup, ...open } = input
  const { seats, ...brings } = houseTable(await asker.builtIn(undefined))
  const filled = filledFrom({ ...open, seats }, brings, reach.protocols)
  return { input: filled.input, notes }
}

/** Built-in models that a request names, whoever else sits there. */
export const builtInNamedBy = (names: readonly string[]): readonly Weights[] =>
  builtIn.filter(({ id }) => names.includes(`house/${id}`))

const namesOwnFile = (input: Named): boolean =>
  namesIn(input).some(name => name.startsWith('house/') && !builtIn.some(({ id }) => name === `house/${id}`))

/** The agents take part in a table of their own, and in the default one if nobody else can answer and the person agrees. */
const settleAgents = async (input: AskInput, reach: OpenReach, asker: Asker): Promise<void> => {
  const { agents } = reach
  if (input.lineup === subscriptionLineup) return void (await agents.check())
  if (!isOpenTable(input) || !isAlone(reach) || agents.installed().length === 0) return
  if (agents.agreed() === false) return
  const ready = (await agents.check()).filter(isReady)
  if (ready.length === 0 || agents.agreed()) return
  const answer = await asker.agents?.(ready)
  if (answer !== undefined) await agents.agree(answer)
}

/** Commands that the person typed may be run. Those of requests, files and earlier sessions may be a stranger's. */
const allowTyped = (reach: OpenReach, { typed = [] }: Asker): void => {
  for (const name of typed) {
    const command = commandIn(name)
    if (command !== undefined) reach.agents.allow(command)
  }
}

const sessionAt = async (id: string, logOf: Asker['log']): Promise<Session> => {
  const log = await logOf(id)
  if (log.length === 0) throw new UsageError(`There is no session "${id}". It may have been deleted.`)
  return fold(log)
}

interface Linked {
  readonly input: AskInput
  readonly links: Links
}

/** The request with what it takes over from the session before, and how it belongs to others. */
export const linked = async (
  given: AskInput,
  { protocols }: Pick<OpenReach, 'protocols'>,
  logOf: Asker['log'],
): Promise<Linked> => {
  const { after, forkedFrom } = given
  if (after === undefined && given.carry !== undefined)
    throw new UsageError('What is carried over has to come from somewhere: name the session to ask on after.')
  const fork = forkedFrom === undefined ? undefined : await sessionAt(forkedFrom, logOf)
  // A fork of a follow-up is told what that one was told, even if the session before is gone.
  if (fork?.after && fork.after.session === after && (given.carry ?? usualCarry) === fork.after.carry)
    return {
      input: given,
      links: {
        ...{ after: fork.after, language: fork.language, forkedFrom: { session: fork.id } },
        ...sourcesOf(fork, given),
      },
    }
  const before = after === undefined ? undefined : await sessionAt(after, logOf)
  return {
    input: before ? followUpOf(before, given, protocols) : given,
    links: {
      ...(before && { after: afterOf(before, given.carry), language: before.language }),
      ...(fork && { forkedFrom: { session: fork.id }, ...sourcesOf(fork, given) }),
    },
  }
}

/** Files are read before anything else: one that can't be read refuses the question. */
export const withExhibits = async (
  input: AskInput,
  file: EarlierFile | undefined,
  person = '',
): Promise<AskInput> => {
  if (!input.attachments?.length) return input
  const { readAttachments } = await import('../evidence/files.ts')
  return { ...input, attachments: await readAttachments(input.attachments, file, { from: person }) }
}

/** Throws UsageError if the request can't be asked. Nothing is asked of a model yet. */
export const resolveAsk = async (
  given: AskInput,
  id: string,
  reach: OpenReach,
  asker: Asker,
): Promise<Opening> => {
  const { usual, protocols } = reach
  const { input: whole, links: found } = await linked(given, reach, asker.log)
  const links = { ...found, ...(whole.record && { record: await asker.record() }) }
  const asked = await withExhibits(whole, asker.file, asker.person)
  const saved = asked.lineup === undefined ? {} : await asker.lineups()
  const usually = withUsual(withPeople(asked), usual, protocols, saved)
  const filled = { ...usually, input: withPeople(usually.input) }
  const { lineup } = filled.input
  if (lineup !== undefined && !lineupIds.includes(lineup))
    throw unknownLineup(lineup, { ...usual.lineups, ...saved })
  const settled = { ...filled, input: settledFiles(filled.input, reach, asker) }
  await reach.refreshFor(settled.input)
  allowTyped(reach, asker)
  await settleAgents(settled.input, reach, asker)
  const { input, notes } = await withHouse(settled, reach, asker)
  if (!isHouseTable(settled.input, reach))
    for (const weights of builtInNamedBy(namesIn(input))) await asker.builtIn(weights)
  if (namesOwnFile(input)) await asker.engine()
  const letters = input.letters && (await Promise.all(input.letters.map(book => asker.letters(book)))).flat()
  const open = (): Opening =>
    openingOf({ ...input, ...(letters && { given: letters }) }, id, reach, notes, links)
  const opening = open()
  return (await learnFacts(opening, reach.providers)) ? open() : opening
}
