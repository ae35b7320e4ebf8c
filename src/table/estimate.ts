/** What a session would take: calls, tokens, dollars and seconds, as ranges. */
import type { Budget } from '../core/log/event.ts'
import { kindOf } from '../core/question/kind.ts'
import { type Question, wordsFor } from '../core/question/question.ts'
import { rangeText, shortNumber } from '../core/wording/numbers.ts'
import { protocolNamed } from '../protocols/index.ts'
import { batchSize } from '../protocols/large-table.ts'
import { bareQuestionPart, questionPart, system } from '../protocols/prompt-parts.ts'
import type { Amount, Load, OpeningFacts, Protocol } from '../protocols/protocol.ts'
import { expectTexts, isText } from '../protocols/text-prompt.ts'
import type { Provider } from '../providers/provider.ts'
import { costOf, priceOf } from '../runtime/budget.ts'
import { resolveModel } from '../runtime/context.ts'
import { tokensIn } from '../runtime/tokens.ts'
import { fitNotes, narrowAt, tokensOfPictures } from './fits.ts'
import type { Reach } from './reach.ts'
import { endpointFee, feeNote, ownSearchLoad, packLoad, searcherLoad } from './search.ts'
import { unseenBy } from './sight.ts'

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

const nothing: Amount = { calls: 0, inputTokens: 0, outputTokens: 0 }

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

type Reached = Pick<Reach, 'providers' | 'protocols' | 'searcher'>

interface Share {
  readonly seats: Amount
  readonly moderator: Amount
}

const shareOf = (opening: OpeningFacts, load: Load, high: boolean, { protocols }: Reached): Share => {
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

const askerOf = (model: string, low: Amount, high: Amount, providers: readonly Provider[]): Asker => {
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

/** `heldRounds`: the open rounds that are held in any case. Absent: as the protocol says. */
export const estimateOf = (
  opened: OpeningFacts,
  notes: readonly string[],
  reach: Reached,
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
    return askerOf(seat.model, amount(low, 'low'), amount(high, 'high'), providers)
  })
  const moderating = (share: Share, end: keyof Range): Amount =>
    combined(share.moderator, searcherLoad(opened, reach, end))
  const moderator =
    opened.moderator && askerOf(opened.moderator, moderating(low, 'low'), moderating(high, 'high'), providers)
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
