/** What a session would take: calls, tokens, dollars and seconds, as ranges. */

import { createRequire } from 'node:module'
import type MiniSearch from 'minisearch'
import { dollars, rangeText, shortNumber, UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { type Excerpts, type ExhibitPassage, passagesOf } from '../core/excerpts.ts'
import { fold } from '../core/fold.ts'
import { kindOf } from '../core/form.ts'
import type { Budget, Seat, SessionOpened } from '../core/opening.ts'
import { picturesIn, pictureTokens, type Question, wordsFor } from '../core/question.ts'
import type { Session } from '../core/session.ts'
import type { Price, Provider } from '../models/provider.ts'
import { batchSize } from '../protocols/answers.ts'
import { protocolNamed } from '../protocols/index.ts'
import { bareQuestionPart, questionPart, system } from '../protocols/parts.ts'
import { expectTexts, isText } from '../protocols/prompt.ts'
import type { Amount, Load, OpeningFacts, Protocol } from '../protocols/protocol.ts'
import { resolveModel, searchTokens, usualOutputTokens } from '../run/ask.ts'
import { capWords, costOf, priceOf } from '../run/budget.ts'
import { tokensIn } from '../run/reply.ts'
import { passagesText } from '../words/asking.ts'
import type { AskInput } from './ask.ts'
import type { Reach } from './reach.ts'
import { unseenBy } from './seats.ts'

// fits: Whether the question with its attachments fits into what each model takes. Said before anybody is asked.

/** A seat or the moderator, with the tokens that its model takes. */
export interface AskedModel {
  readonly name: string
  readonly context: number
  readonly reasoning: boolean
  /** Tokens of the pictures that it gets. */
  readonly pictures: number
}

/** One whose model takes too few. */
export interface Narrow extends AskedModel {
  /** What the question needs, with room for an answer. */
  readonly needs: number
}

export const tokensOfPictures = ({ attachments }: Pick<Question, 'attachments'>): number =>
  picturesIn(attachments).reduce((sum, picture) => sum + pictureTokens(picture), 0)

const askerOf = (
  name: string,
  model: string,
  pictures: number,
  providers: readonly Provider[],
): AskedModel | undefined => {
  const { provider, model: id } = resolveModel(providers, model)
  const { context, reasoning = false } = provider.known(id)
  return context === undefined ? undefined : { name, context, reasoning, pictures }
}

type Table = Pick<OpeningFacts, 'question' | 'seats' | 'moderator' | 'smallModerator'>

/** Without attachments, a small model gets a short prompt of its own. */
const reads = ({ outside, small }: Seat, { attachments }: Question): boolean =>
  !outside && (!small || attachments.length > 0)

/** All whose context is known. A small moderator only reads two headlines. */
export const askersAt = (
  { question, seats, moderator, smallModerator }: Table,
  providers: readonly Provider[],
): AskedModel[] => {
  const seen = tokensOfPictures(question)
  const panel = seats
    .filter(seat => reads(seat, question))
    .map(({ name, model, sees }) => askerOf(name, model, sees ? seen : 0, providers))
  const moderating =
    moderator === null || smallModerator || question.attachments.length === 0
      ? undefined
      : askerOf(`The moderator ${moderator}`, moderator, 0, providers)
  return [...panel, moderating].filter(one => one !== undefined)
}

/** `question`: its tokens, with what seats are told beside it. */
export const narrowAt = (table: Table, question: number, providers: readonly Provider[]): Narrow[] =>
  askersAt(table, providers).flatMap(asker => {
    const needs = question + asker.pictures + usualOutputTokens
    return asker.context < needs ? [{ ...asker, needs }] : []
  })

const tooNarrow = ({ name, context, needs }: Narrow): string =>
  `${name} takes ${shortNumber(context)} tokens, and the question with its attachments needs about ${shortNumber(needs)}: it could not answer.`

/** A sentence for each model that can't read all of it. */
export const fitNotes = (narrow: readonly Narrow[]): string[] =>
  narrow.map(one => `${tooNarrow(one)} Attach less, or seat another model.`)

/** Why a question is refused. */
export const refusalWords = (narrow: readonly Narrow[]): string =>
  `${narrow.map(tooNarrow).join(' ')} Attach less, seat other models, or give all seats excerpts.`

// search: Whether and how a session searches the web, as its first event says it; and what a person should know about it.

type Searching = Pick<SessionOpened, 'search' | 'fetch' | 'sources'>
type Reached = Pick<Reach, 'providers' | 'searcher'>

/** How many searches one call may make. */
const mostSearches = ({ providers }: Reached, name: string): number => {
  const { provider, model } = resolveModel(providers, name)
  return provider.searches?.(model) ?? 0
}

const canSearch = (reach: Reached, name: string): boolean => mostSearches(reach, name) > 0

const refuseWithoutSearcher = (reach: Reached, moderator: string | null): void => {
  if (reach.searcher || (moderator !== null && canSearch(reach, moderator))) return
  throw new UsageError(
    "Nobody can search the web for the table. Set ROUNDTABLE_SEARCH to a search endpoint, such as searxng=http://127.0.0.1:8888, or choose a moderator whose maker has a search tool: OpenAI, Anthropic, Google, xAI, Mistral or OpenRouter's models.",
  )
}

/** What a fork takes over from the session before: the same question isn't searched for again. */
export const sourcesOf = (
  before: Pick<Session, 'question' | 'sources'>,
  { question, search }: Pick<AskInput, 'question' | 'search'>,
): Pick<Searching, 'sources'> =>
  search === 'shared' && before.sources && question === before.question.text
    ? { sources: before.sources }
    : {}

/** Throws UsageError if one search for all seats is asked for and nobody can make it. */
export const searchFor = (
  { search = 'off', fetch }: Pick<AskInput, 'search' | 'fetch'>,
  moderator: string | null,
  reach: Reached,
  { sources }: Pick<Searching, 'sources'>,
): Searching => {
  if (search === 'shared' && !sources) refuseWithoutSearcher(reach, moderator)
  return {
    ...(search !== 'off' && { search }),
    ...(search === 'shared' && sources && { sources }),
    ...(fetch === false && { fetch }),
  }
}

export const searchNotes = (
  { search, seats }: Pick<SessionOpened, 'search' | 'seats'>,
  reach: Reached,
): string[] => {
  if (search !== 'native') return []
  const without = seats.filter(({ outside, model }) => !outside && !canSearch(reach, model))
  if (without.length === 0) return []
  const names = without.map(({ name }) => name).join(', ')
  return [`${names}: no search tool of its maker is known, so it answers without searching.`]
}

/** What the sources of a search add to every prompt. */
const packTokens = { low: 600, high: 6_000 } as const
/** A model that searches for the table, besides what its search finds. */
const searchCall = { low: { input: 400, output: 300 }, high: { input: 400, output: 2_000 } } as const

const nothing: Amount = { calls: 0, inputTokens: 0, outputTokens: 0 }

type End = 'low' | 'high'

/** Tokens of the sources in each prompt, as far as they aren't known yet. */
export const packLoad = ({ search, sources }: Searching, end: End): number =>
  search === 'shared' && !sources ? packTokens[end] : 0

/** One search in a call, or as many as it may make. */
const searchesFor = (reach: Reached, model: string, end: End): number =>
  end === 'low' ? 1 : mostSearches(reach, model)

/** The one call of the moderator's model, if it searches. */
export const searcherLoad = (
  { search, sources, moderator }: Searching & Pick<SessionOpened, 'moderator'>,
  reach: Reached,
  end: End,
): Amount =>
  search !== 'shared' || sources || reach.searcher || moderator === null
    ? nothing
    : {
        calls: 1,
        inputTokens: searchCall[end].input + searchTokens[end],
        outputTokens: searchCall[end].output,
        searches: searchesFor(reach, moderator, end),
      }

/** What a seat's own searches add to so many calls. */
export const ownSearchLoad = (
  { search }: Searching,
  { model }: Pick<Seat, 'model'>,
  reach: Reached,
  calls: number,
  end: End,
): Amount =>
  search === 'native' && canSearch(reach, model)
    ? {
        ...nothing,
        inputTokens: calls * searchTokens[end],
        searches: calls * searchesFor(reach, model, end),
      }
    : nothing

/** What the search endpoint charges for the one search, in dollars. */
export const endpointFee = ({ search, sources }: Searching, { searcher }: Reached): number =>
  search === 'shared' && !sources && searcher ? searcher.fee : 0

export const feeNote = (searches: number, fee: number): string[] =>
  searches > 0 || fee > 0 ? ['The cost includes a fee for each web search.'] : []

export interface Range {
  readonly low: number
  readonly high: number
}

export interface Estimate {
  readonly calls: Range
  readonly inputTokens: Range
  readonly outputTokens: Range
  /** Part of the input that a model has read before: makers that cache prompts charge less for it. */
  readonly repeatedInput: Range
  /** Null: the price of a model is unknown. */
  readonly costUsd: Range | null
  /** A subscription pays for a seat, or for the moderator: `costUsd` is what comes on top. */
  readonly subscription?: true
  readonly seconds: Range
  /** The same for each seat, by its id, and for the moderator if there is one. */
  readonly seatUsd: Readonly<Record<string, Range | null>>
  readonly moderatorUsd?: Range | null
  /** What seats get, or would get, of attachments that don't fit a model. Absent: everything fits. */
  readonly excerpts?: { readonly given: number; readonly of: number; readonly wanted: boolean }
  /** The names of seats that probably can't see the attached pictures. Absent: all see them, or there are none. */
  readonly unseen?: readonly string[]
  /** What the figures leave out, and what a person should know about the table. */
  readonly notes: readonly string[]
}

/** Tokens of a short and of a long answer. */
const answerTokens: Range = { low: 200, high: 700 }
/** Tokens of a text with what is written about it, for each word that it should have. */
const textTokens: Range = { low: 1.3, high: 2 }
/** Tokens that a reasoning model writes in all, for each token of its answer. */
const thinkingShare = 4
/** What a seat is told beside the question, and the form that it fills in. */
export const instructionTokens = 340
const secondsPerStage: Range = { low: 4, high: 40 }

const combined = (one: Amount, other: Amount, sign: 1 | -1 = 1): Amount => ({
  calls: one.calls + sign * other.calls,
  inputTokens: one.inputTokens + sign * other.inputTokens,
  outputTokens: one.outputTokens + sign * other.outputTokens,
  searches: (one.searches ?? 0) + sign * (other.searches ?? 0),
})

const headlineTokens = 40

/** Pairs of camps that are compared in a round, at most. */
const campPairs = 15

/**
 * Open answers are grouped twice a round, in batches at a large table. All pairs are compared in one call, and in one more
 * if a camp falls apart. `bare`: tokens of the question without what is attached, which only the first reading gets.
 */
const grouping = ({ seats, rounds, question, open }: Load, bare: number, checks: boolean): Amount => {
  if (!open || seats < 2) return nothing
  const times = rounds + 1
  const batches = Math.ceil(seats / batchSize)
  const readings = times * batches
  const comparing = checks ? times * (batches + 1) : 0
  const pairs = checks ? times * (seats + campPairs) : 0
  return {
    calls: 2 * readings + comparing,
    inputTokens:
      readings * question +
      (readings + comparing) * bare +
      2 * times * seats * headlineTokens +
      pairs * 2 * headlineTokens,
    outputTokens: 2 * times * seats * headlineTokens + pairs * headlineTokens,
  }
}

/** The moderator says what kind of question it is, and puts readings together if they differ. */
const aboutQuestion = (opened: OpeningFacts, { seats }: Load, bare: number, high: boolean): Amount => {
  const read = high && opened.question.format !== 'text' ? 1 : 0
  const calls = (kindOf(opened) === undefined ? 1 : 0) + read
  return {
    calls,
    inputTokens: calls * bare + read * seats * headlineTokens,
    outputTokens: calls * headlineTokens + read * seats * headlineTokens,
  }
}

type EstimatedReach = Pick<Reach, 'providers' | 'protocols' | 'searcher'>

interface Share {
  readonly seats: Amount
  readonly moderator: Amount
}

const shareOf = (opening: OpeningFacts, load: Load, high: boolean, { protocols }: EstimatedReach): Share => {
  const whole = isText(opening) ? expectTexts(load) : protocolNamed(opening.protocol, protocols).expect(load)
  const moderated = opening.moderator !== null
  const bare = tokensIn(bareQuestionPart(opening)) + instructionTokens
  return {
    seats: combined(whole, whole.moderator, -1),
    moderator: moderated
      ? [
          grouping(load, bare, high),
          ...(opening.smallModerator ? [] : [aboutQuestion(opening, load, bare, high)]),
        ].reduce((sum, one) => combined(sum, one), whole.moderator)
      : nothing,
  }
}

/** Makers cache no shorter beginning of a prompt. */
const leastCached = 1_024

/**
 * How many calls begin with a question that their model has read before. At most all but the first one of each model do.
 * Makers that enforce a form put it before the prompt: then only calls of the same form do, which are those of seats of the
 * same model in the same round, and of open rounds after the first.
 */
const repeatingCalls = (
  { seats: { calls }, moderator }: Share,
  opened: OpeningFacts,
  rounds: number,
): Range => {
  const models = new Set(opened.seats.map(({ model }) => model)).size
  const twins = calls * (1 - models / opened.seats.length)
  return {
    low: twins + models * Math.max(0, rounds - 1),
    high: Math.max(0, calls - models) + Math.max(0, moderator.calls - 1),
  }
}

const repeatedTokens = (opened: OpeningFacts, least: number, most: number): Range => {
  const beginning = tokensIn(system) + tokensIn(questionPart(opened))
  if (beginning < leastCached) return { low: 0, high: 0 }
  return { low: Math.round(least * beginning), high: Math.round(most * beginning) }
}

/** Whoever is asked: a seat or the moderator. */
interface Asker {
  readonly model: string
  readonly low: Amount
  readonly high: Amount
  readonly costUsd: Range | null
  readonly subscription: boolean
}

const askerOfModel = (model: string, low: Amount, high: Amount, providers: readonly Provider[]): Asker => {
  const place = resolveModel(providers, model)
  const { price: known, reasoning } = place.provider.known(place.model)
  const price = priceOf(place.provider, known)
  const most = reasoning ? { ...high, outputTokens: high.outputTokens * thinkingShare } : high
  const costUsd = price ? { low: costOf(low, price), high: costOf(most, price) } : null
  return { model, low, high: most, costUsd, subscription: place.provider.subscription === true }
}

/** Tokens of the letters that a seat reads before its first answer. */
const letterTokens = ({ letters }: OpeningFacts, seat: string): number => {
  const ids = letters && Object.hasOwn(letters.bySeat, seat) ? letters.bySeat[seat]! : []
  const read = letters?.given.filter(({ id }) => ids.includes(id)) ?? []
  return read.reduce((sum, { text }) => sum + tokensIn(text), 0)
}

const withInput = (amount: Amount, more: number): Amount => ({
  ...amount,
  inputTokens: amount.inputTokens + more,
})

/** Every seat is asked as often as any other. */
const part = (whole: Amount, count: number): Amount => ({
  calls: whole.calls / count,
  inputTokens: whole.inputTokens / count,
  outputTokens: whole.outputTokens / count,
})

const rangeOf = (askers: readonly Asker[], field: keyof Amount): Range => {
  const sum = (end: 'low' | 'high'): number =>
    Math.round(askers.reduce((total, asker) => total + (asker[end][field] ?? 0), 0))
  return { low: sum('low'), high: sum('high') }
}

/** One unknown price makes the sum unknown: a sum of the known ones would look like the whole bill. */
const costOfAll = (askers: readonly Asker[], fee: number): Range | null => {
  const known = askers.flatMap(({ costUsd }) => costUsd ?? [])
  if (known.length < askers.length) return null
  const sum = (end: keyof Range): number => known.reduce((total, range) => total + range[end], fee)
  return { low: sum('low'), high: sum('high') }
}

/** Calls in a row. Open answers are checked beside the next round or the report, except where seats are told figures. */
const stagesOf = ({ rounds, question }: OpeningFacts, { tellsFigures }: Protocol): Range => ({
  low: 2,
  high: 2 + rounds * 2 + (isGrouped(question) ? 2 + (tellsFigures ? rounds : 0) : 0),
})

/** The moderator says which answers belong together. */
const isGrouped = ({ format, camps }: Question): boolean => format === 'open' || camps === 'intent'

const answerTokensFor = ({ question }: OpeningFacts, end: keyof Range): number =>
  answerTokens[end] + (question.format === 'text' ? Math.round(wordsFor(question) * textTokens[end]) : 0)

export const repeatedNote = ({ low, high }: Range): string[] =>
  high > 0
    ? [
        `${rangeText(shortNumber(low), shortNumber(high))} of the input tokens repeat: makers that cache prompts charge less for them.`,
      ]
    : []

/** Nothing that a subscription pays has a price, so dollars don't limit it. */
const budgetNote = (budget: Budget | undefined): string[] =>
  budget?.usd !== undefined && budget.tokens === undefined
    ? ["A budget in dollars doesn't limit seats that a subscription pays for. Give one in tokens too."]
    : []

/**
 * Why this budget is refused: it is below the least that the table is expected to take, so seats would be silent for want of
 * money and what the others cost would be lost. Undefined: it may be tried.
 */
export const budgetRefusal = (budget: Budget | undefined, estimate: Estimate): UsageError | undefined => {
  if (!budget) return undefined
  const { inputTokens, outputTokens, costUsd } = estimate
  const tokens = inputTokens.low + outputTokens.low
  const usd = costUsd?.low ?? 0
  const needs = [
    ...((budget.tokens ?? Infinity) < tokens ? [`about ${shortNumber(tokens)} tokens`] : []),
    ...((budget.usd ?? Infinity) < usd ? [`about ${dollars(usd)}`] : []),
  ]
  if (needs.length === 0) return undefined
  return new UsageError(
    `The budget of ${capWords(budget)} is too small: this table takes ${needs.join(' and ')} at least. Nothing was asked. Give a larger budget, or seat fewer models.`,
  )
}

/** `heldRounds`: the open rounds that are held in any case. Absent: as the protocol says. */
export const estimateOf = (
  opened: OpeningFacts,
  notes: readonly string[],
  reach: EstimatedReach,
  heldRounds?: number,
): Estimate => {
  const { providers } = reach
  const open = isGrouped(opened.question)
  const question = tokensIn(questionPart(opened)) + instructionTokens
  const modelSeats = opened.seats.filter(({ outside }) => !outside)
  const count = opened.seats.length
  const load = (rounds: number, end: keyof Range): Load => ({
    ...{ seats: count, rounds, open, answer: answerTokensFor(opened, end) },
    question: question + packLoad(opened, end),
  })
  const protocol = protocolNamed(opened.protocol, reach.protocols)
  // Texts never agree, so they are read at least once.
  const shortest = isText(opened) ? Math.min(1, opened.rounds) : 0
  const fewest = heldRounds ?? (protocol.stopsEarly ? shortest : opened.rounds)
  const talks = protocol.whenItTalks?.(opened)
  const [least, most] = [load(fewest, 'low'), load(opened.rounds, 'high')]
  const [low, high] = [shareOf(opened, least, false, reach), shareOf(opened, most, true, reach)]
  const repeated = repeatedTokens(
    opened,
    repeatingCalls(low, opened, least.rounds).low,
    repeatingCalls(high, opened, most.rounds).high,
  )
  const seen = tokensOfPictures(opened.question)
  const seats = modelSeats.map(seat => {
    const amount = (share: Share, end: keyof Range): Amount => {
      const own = part(share.seats, count)
      const found = ownSearchLoad(opened, seat, reach, own.calls, end)
      const more = letterTokens(opened, seat.id) + (seat.sees ? own.calls * seen : 0)
      return withInput(combined(own, found), more)
    }
    return askerOfModel(seat.model, amount(low, 'low'), amount(high, 'high'), providers)
  })
  const moderating = (share: Share, end: keyof Range): Amount =>
    combined(share.moderator, searcherLoad(opened, reach, end))
  const moderator =
    opened.moderator &&
    askerOfModel(opened.moderator, moderating(low, 'low'), moderating(high, 'high'), providers)
  const askers = moderator ? [...seats, moderator] : seats
  const unpriced = new Set(askers.filter(({ costUsd }) => !costUsd).map(({ model }) => model))
  const stages = stagesOf(opened, protocol)
  const fee = endpointFee(opened, reach)
  const subscribed = askers.some(({ subscription }) => subscription)
  const unseen = unseenBy(opened.seats)
  return {
    calls: rangeOf(askers, 'calls'),
    inputTokens: rangeOf(askers, 'inputTokens'),
    outputTokens: rangeOf(askers, 'outputTokens'),
    costUsd: costOfAll(askers, fee),
    ...(subscribed && { subscription: true as const }),
    seconds: { low: stages.low * secondsPerStage.low, high: stages.high * secondsPerStage.high },
    seatUsd: Object.fromEntries(modelSeats.map(({ id }, index) => [id, seats[index]!.costUsd])),
    ...(moderator && { moderatorUsd: moderator.costUsd }),
    repeatedInput: repeated,
    ...(unseen.length > 0 && { unseen }),
    // What the table is like comes first, and what explains a figure last.
    notes: [
      ...fitNotes(narrowAt(opened, question, providers)),
      ...notes,
      ...(subscribed ? budgetNote(opened.budget) : []),
      ...(talks === undefined || heldRounds !== undefined ? [] : [talks]),
      ...(unpriced.size > 0 ? [`The price of ${[...unpriced].join(', ')} is unknown.`] : []),
      ...feeNote(rangeOf(askers, 'searches').high, fee),
      ...repeatedNote(repeated),
    ],
  }
}

// excerpts: Picks the passages of long attachments that all seats get, by how well they match the words of the question.

/** Scripts without spaces between words are taken character by character. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu

const wordsIn = (text: string): string[] => text.toLowerCase().match(words) ?? []

/** Loaded when it is needed: most questions fit, and whoever lists models asks nothing. */
const searchLibrary = (): typeof MiniSearch => createRequire(import.meta.url)('minisearch')

/** Places of the passages that have any of the words, the best first (BM25). Other words aren't indexed. */
const ranked = (texts: readonly string[], asked: string): number[] => {
  const wanted = new Set(wordsIn(asked))
  const Index = searchLibrary()
  const index = new Index<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: wordsIn,
    processTerm: word => (wanted.has(word) ? word : null),
  })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return index.search(asked).map(({ id }) => id as number)
}

/** What goes along with each passage: its exhibit, place and line. */
const aroundPassage = 30

const askedIn = ({ text, options }: Question): string => [text, ...options].join('\n')

/** As many as fit into so many tokens; those without any word of the question last, in the order of the texts. */
const picked = (
  passages: readonly ExhibitPassage[],
  texts: readonly string[],
  asked: string,
  room: number,
): ExhibitPassage[] => {
  const order = new Set([...ranked(texts, asked), ...texts.keys()])
  const taken: number[] = []
  let left = room
  for (const at of order) {
    const tokens = tokensIn(texts[at]!) + aroundPassage
    if (tokens > left) continue
    taken.push(at)
    left -= tokens
  }
  return taken.toSorted((one, other) => one - other).map(at => passages[at]!)
}

/** Undefined if not even one passage fits. `room`: tokens. */
export const excerptsOf = (question: Question, room: number): Excerpts | undefined => {
  const passages = passagesOf(question.attachments)
  const texts = passages.map(({ exhibit, from, to }) =>
    question.attachments[exhibit - 1]!.text.slice(from, to),
  )
  const given = picked(passages, texts, askedIn(question), room)
  return given.length > 0 ? { given, of: passages.length } : undefined
}

// longMaterial: What happens if the attachments don't fit a model: the question is refused, or all seats get the same excerpts.

/** What seats would get of attachments that don't fit, or get if the asker wants excerpts. */
export interface ExcerptCount {
  readonly given: number
  readonly of: number
  readonly wanted: boolean
}

interface LongMaterial {
  readonly notes: readonly string[]
  /** For the log, if the asker wants them. */
  readonly excerpts?: Excerpts
  /** For the estimate. Absent: everything fits, or not even excerpts do. */
  readonly count?: ExcerptCount
  /** Why it can't be asked like this. */
  readonly refusal?: UsageError
}

/** Tokens of a long answer, and of what a model writes at most. */
const longAnswer = 700
const longReply = 1_500
/** Tokens are estimated, so not all of the room is used. */
const usedShare = 0.9

/** Room for passages in one model's context, beside the rest of the question and what seats say in open rounds. */
const roomIn = ({ context, reasoning, pictures }: AskedModel, beside: number, said: number): number => {
  const left = context - pictures - beside
  const wished = left - said - longReply * (reasoning ? thinkingShare : 1)
  return Math.floor(usedShare * Math.max(wished, (left - usualOutputTokens) / 2))
}

const withoutTexts = (opened: OpeningFacts): OpeningFacts => ({
  ...opened,
  question: { ...opened.question, attachments: [] },
})

const excerptsFor = (opened: OpeningFacts, askers: readonly AskedModel[]): Excerpts | undefined => {
  const beside = tokensIn(questionPart(withoutTexts(opened))) + instructionTokens
  const said = opened.rounds > 0 ? opened.seats.length * longAnswer : 0
  return excerptsOf(opened.question, Math.min(...askers.map(asker => roomIn(asker, beside, said))))
}

const tokensOf = (opened: OpeningFacts): number => tokensIn(questionPart(opened)) + instructionTokens

const excerptNote = (
  opened: OpeningFacts,
  excerpts: Excerpts,
  narrow: readonly Narrow[],
  wanted: boolean,
): string => {
  const passages = passagesText({ given: excerpts.given.length, of: excerpts.of })
  const size = `about ${shortNumber(tokensOf({ ...opened, excerpts }))} of ${shortNumber(tokensOf(opened))} tokens`
  return wanted
    ? `Excerpts: all seats get the same ${passages}, picked by the words of the question (${size}), because ${narrow[0]!.name} takes ${shortNumber(narrow[0]!.context)} tokens.`
    : `With excerpts, all seats would get the same ${passages}, picked by the words of the question (${size}).`
}

/** `wanted`: the asker wants excerpts if something doesn't fit. */
export const longMaterialOf = (
  opened: OpeningFacts,
  wanted: boolean,
  { providers }: Pick<Reach, 'providers'>,
): LongMaterial => {
  if (opened.question.attachments.length === 0) return { notes: [] }
  const narrow = narrowAt(opened, tokensOf(opened), providers)
  if (narrow.length === 0) return { notes: [] }
  const excerpts = excerptsFor(opened, askersAt(opened, providers))
  const refusal = new UsageError(refusalWords(narrow), 'too-long')
  if (!excerpts) return { notes: [], refusal }
  const notes = [excerptNote(opened, excerpts, narrow, wanted)]
  const count = { given: excerpts.given.length, of: excerpts.of, wanted }
  return wanted ? { notes, excerpts, count } : { notes, count, refusal }
}

// roundEstimate: What one more open round of a session would take.

const less = (one: Range, other: Range): Range => ({
  low: Math.max(0, one.low - other.low),
  high: Math.max(0, one.high - other.high),
})

const lessOrUnknown = (one: Range | null, other: Range | null): Range | null =>
  one && other && less(one, other)

/** What one estimate has more than another. */
export const lessOf = (after: Estimate, before: Estimate, notes: readonly string[]): Estimate => ({
  calls: less(after.calls, before.calls),
  inputTokens: less(after.inputTokens, before.inputTokens),
  outputTokens: less(after.outputTokens, before.outputTokens),
  costUsd: lessOrUnknown(after.costUsd, before.costUsd),
  seconds: less(after.seconds, before.seconds),
  seatUsd: Object.fromEntries(
    Object.entries(after.seatUsd).map(([id, range]) => [
      id,
      lessOrUnknown(range, before.seatUsd[id] ?? null),
    ]),
  ),
  repeatedInput: less(after.repeatedInput, before.repeatedInput),
  notes,
})

/** The report is written again. */
export const report = { calls: 1, inputTokens: 4_000, outputTokens: 700 }

/** Undefined if nobody knows it, or nobody moderates. */
export const moderatorPrice = (
  moderator: string | null,
  { providers }: Pick<Reach, 'providers'>,
): Price | undefined => {
  if (moderator === null) return undefined
  const { provider, model } = resolveModel(providers, moderator)
  return provider.known(model).price
}

/** The difference to a session without that round. Throws UsageError if a seat can't be reached. */
export const roundEstimateOf = (
  log: readonly SessionEvent[],
  reach: Pick<Reach, 'providers' | 'protocols'>,
): Estimate => {
  const session = fold(log)
  const [first] = log
  if (first?.type !== 'session-opened') throw new Error('A log begins with its opening.')
  const held = session.roundsSoFar.filter(round => !round.sealed).length
  const opened = { ...first, seats: session.seats, moderator: session.moderator }
  const whole = (rounds: number): Estimate => estimateOf({ ...opened, rounds }, [], reach, rounds)
  const [before, after] = [whole(held), whole(held + 1)]
  const { moderator } = opened
  const price = moderatorPrice(moderator, reach)
  const again = moderator === null ? { calls: 0, inputTokens: 0, outputTokens: 0 } : report
  const plus = (range: Range, field: keyof typeof report): Range => ({
    low: range.low + again[field],
    high: range.high + again[field],
  })
  // How much repeats is said of whole sessions only.
  const notes = after.notes.filter(note => !repeatedNote(after.repeatedInput).includes(note))
  const round = lessOf(after, before, notes)
  const { costUsd } = round
  const extra = price ? costOf(report, price) : 0
  return {
    ...round,
    calls: plus(round.calls, 'calls'),
    inputTokens: plus(round.inputTokens, 'inputTokens'),
    outputTokens: plus(round.outputTokens, 'outputTokens'),
    costUsd: costUsd && { low: costUsd.low + extra, high: costUsd.high + extra },
    seconds: { low: 8, high: round.seconds.high },
  }
}
