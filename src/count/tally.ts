/** The count of one round: its camps, its level, and who is missing. */
import { capitalised, models, percent, wordingOf } from '../core/basics.ts'
import type { Figures, Stake } from '../core/opening.ts'
import type { Question } from '../core/question.ts'
import { numbersText, numberText } from '../core/reply.ts'
import {
  type CombinedRanking,
  combinedRanking,
  type Figure,
  figureOf,
  median,
  orderText,
  roundedQuartiles,
} from '../core/rules.ts'
import { isOverdue, type Round, roundAt, type Session, seatsIn } from '../core/session.ts'
import {
  type Camp,
  type CampPair,
  filled,
  givenIn,
  keptIn,
  labelled,
  newestIn,
  type Tolerance,
  toleranceIn,
} from './camps.ts'
import { campOfSeat, groupingOf } from './settle.ts'

export const levels = [
  'unanimous',
  'unanimous-with-caveats',
  'supermajority',
  'majority',
  'plurality',
  'tie',
  'split',
  'no-quorum',
] as const
export type Level = (typeof levels)[number]

export interface KeptSeat {
  readonly seat: string
  /** The round in which it gave the answer that counts. */
  readonly round: number
}

export interface Tally {
  readonly round: number
  /** Null for texts: they aren't a vote, so nobody agrees or dissents. */
  readonly level: Level | null
  /** Seats in the largest camp. Zero for texts. */
  readonly agree: number
  /** Seats at the table, silent ones included. */
  readonly of: number
  /** Seats that answered in this round. */
  readonly answered: number
  /** Seats that didn't, and whose last answer is counted: the camps have them. Absent: none. */
  readonly kept?: readonly KeptSeat[]
  /** Id of the leading camp. Null in a tie and without a quorum. */
  readonly leading: string | null
  readonly camps: readonly Camp[]
  /** Pairs of camps, by id, of which neither denies the other. Absent: none are known. */
  readonly compatible?: readonly CampPair[]
  readonly silent: readonly string[]
  readonly abstained: readonly string[]
  /** Of all rankings together. Absent if nobody gave one. */
  readonly ranking?: CombinedRanking
  /** For numbers. */
  readonly median?: number
  /** The median as it is shown, and what counts as the same number. Absent in rounds of older prompts. */
  readonly figure?: Figure
  readonly tolerance?: Tolerance
}

const statusOf = (session: Session, round: Round, status: string): string[] =>
  session.seats.filter(seat => round.handedIn[seat.id]?.status === status).map(seat => seat.id)

/** A verdict needs answers from more than half of the table. */
export const hasQuorum = (answered: number, of: number): boolean => answered * 2 > of

const levelOf = (camps: readonly Camp[], of: number, answered: number): Level => {
  const [first = 0, second = 0] = camps.map(camp => camp.seats.length).sort((one, other) => other - one)
  if (!hasQuorum(answered, of)) return 'no-quorum'
  if (first === second) return first === 1 && camps.length > 2 ? 'split' : 'tie'
  if (first === of)
    return camps.some(camp => camp.qualified.length > 0) ? 'unanimous-with-caveats' : 'unanimous'
  if (first * 3 >= of * 2) return 'supermajority'
  return first * 2 > of ? 'majority' : 'plurality'
}

/** Largest first. Equal camps follow the order of the options, not the order of the seats. */
const bySize = (camps: readonly Camp[], options: readonly string[]): Camp[] =>
  [...camps].sort(
    (one, other) =>
      other.seats.length - one.seats.length || options.indexOf(one.id) - options.indexOf(other.id),
  )

const numberPart = (session: Session, round: Round): Pick<Tally, 'median' | 'figure' | 'tolerance'> => {
  const { scale } = session.question
  const values = newestIn(session, round).flatMap(({ answer }) => answer.number ?? [])
  const tolerance = toleranceIn(session, round)
  const figure = tolerance && figureOf(values, scale)
  return { median: median(values, scale), ...(figure && { figure }), ...(tolerance && { tolerance }) }
}

/**
 * The camps of a round with the seats whose last answer is kept: each stays in the camp that it stood in then. Until the
 * round is compared there are no camps, and nobody is kept in one.
 */
const withKept = (session: Session, round: Round, kept: readonly KeptSeat[]): readonly Camp[] => {
  const { camps, unplaced } = groupingOf(session, round)
  if (kept.length === 0 || unplaced.length > 0) return camps
  const all = new Map(camps.map(camp => [camp.id, camp]))
  for (const { seat, round: index } of kept) {
    const home = campOfSeat(groupingOf(session, roundAt(session, index)!), seat)
    if (!home) continue
    const { seats, qualified, ...camp } = all.get(home.id) ?? { ...home, seats: [], qualified: [] }
    const caveat = home.qualified.includes(seat) ? [seat] : []
    all.set(home.id, { ...camp, seats: [...seats, seat], qualified: [...qualified, ...caveat] })
  }
  const whole = filled(session, [...all.values()])
  return toleranceIn(session, round) ? whole.map(camp => labelled(session, round, camp)) : whole
}

export const tallyOf = (session: Session, round: Round): Tally => {
  const { question } = session
  const { compatible } = groupingOf(session, round)
  const kept = keptIn(session, round).map(({ seat, round: index }) => ({ seat, round: index }))
  const camps = bySize(withKept(session, round, kept), question.options)
  const answers = newestIn(session, round).map(({ answer }) => answer)
  const of = seatsIn(session, round.index).length
  const isVote = question.format !== 'text'
  const level = isVote || !hasQuorum(answers.length, of) ? levelOf(camps, of, answers.length) : null
  const [first, second] = isVote ? camps : []
  const tied = first?.seats.length === second?.seats.length
  const ranking =
    question.format === 'ranking'
      ? combinedRanking(
          question.options,
          answers.map(answer => answer.ranking ?? []),
        )
      : undefined
  return {
    round: round.index,
    level,
    agree: first?.seats.length ?? 0,
    of,
    answered: givenIn(session, round).length,
    ...(kept.length > 0 && { kept }),
    leading: first && !tied && level !== 'no-quorum' ? first.id : null,
    camps,
    ...(compatible.length > 0 && { compatible }),
    silent: statusOf(session, round, 'silent'),
    abstained: statusOf(session, round, 'abstained'),
    ...(ranking && { ranking }),
    ...(question.format === 'number' && numberPart(session, round)),
  }
}

/** The sizes of the camps that share the first place, and of those behind them. */
export const tieOf = ({
  camps,
}: Pick<Tally, 'camps'>): { readonly sides: number[]; readonly rest: number[] } => {
  const sizes = camps.map(({ seats }) => seats.length)
  const most = Math.max(...sizes)
  return { sides: sizes.filter(size => size === most), rest: sizes.filter(size => size < most) }
}

/** The camps that a camp is compatible with. */
export const compatibleWith = ({ camps, compatible = [] }: Tally, id: string): Camp[] =>
  camps.filter(camp =>
    compatible.some(([one, other]) => (one === id && other === camp.id) || (other === id && one === camp.id)),
  )

/** "timed out", "abstained": why a seat is missing from a tally, in a few words. */
export const absenceOf = (session: Session, round: number, seat: string): string => {
  const at = roundAt(session, round)
  const handedIn = at?.handedIn[seat]
  if (at && isOverdue(at, seat)) return 'no answer yet'
  if (handedIn?.status === 'silent') return wordingOf(handedIn.error.kind).short
  return handedIn?.status === 'abstained' ? 'abstained' : 'not asked'
}

// people: People and models counted apart, and whether the people decided which camp leads.

export interface PartCount {
  /** Seats, silent ones included. */
  readonly of: number
  readonly answered: number
  /** Seats in the camp that leads at the whole table. Zero if none leads. */
  readonly agree: number
  /** The camp that would lead if nobody else had a seat. Null: none would. */
  readonly leading: string | null
}

export interface PeopleApart {
  readonly people: PartCount
  readonly models: PartCount
}

const leaderAmong = (tally: Tally, seats: ReadonlySet<string>): string | null => {
  const sizes = tally.camps
    .map(({ id, seats: all }) => ({ id, size: all.filter(seat => seats.has(seat)).length }))
    .sort((one, other) => other.size - one.size)
  const [first, second] = sizes
  return first && first.size > 0 && first.size !== second?.size ? first.id : null
}

/** Undefined if no person holds a seat. Texts aren't a vote, so nobody leads among them. */
export const peopleApart = (session: Session, tally: Tally | null): PeopleApart | undefined => {
  if (!tally || session.imported || !session.seats.some(({ person }) => person)) return undefined
  const table = seatsIn(session, tally.round)
  const missing = new Set([...tally.silent, ...tally.abstained])
  const leading = tally.camps.find(({ id }) => id === tally.leading)
  const part = (isPerson: boolean): PartCount => {
    const own = new Set(table.filter(({ person = false }) => person === isPerson).map(({ id }) => id))
    const handedIn = session.roundsSoFar.find(({ index }) => index === tally.round)?.handedIn ?? {}
    return {
      of: own.size,
      answered: [...own].filter(seat => !missing.has(seat) && handedIn[seat]?.status === 'given').length,
      agree: leading?.seats.filter(seat => own.has(seat)).length ?? 0,
      leading: tally.level === null ? null : leaderAmong(tally, own),
    }
  }
  return { people: part(true), models: part(false) }
}

/** A camp leads, and the models alone would have put another one first, or none. */
export const peopleDecided = (session: Session, tally: Tally | null): boolean => {
  const apart = peopleApart(session, tally)
  return apart !== undefined && tally?.leading != null && apart.models.leading !== tally.leading
}

// campWords: How camps relate, in words.

/** "compatible with “Wait a year”", or nothing if it is compatible with none. */
export const compatibleWords = (
  tally: Tally,
  id: string,
  name: (camp: Camp) => string = camp => `“${camp.label}”`,
): string => {
  const camps = compatibleWith(tally, id)
  return camps.length > 0 ? `compatible with ${camps.map(name).join(', ')}` : ''
}

/** How many answers are counted: those of the round, and those that are kept. */
export const countedIn = ({ answered, kept = [] }: Pick<Tally, 'answered' | 'kept'>): number =>
  answered + kept.length

/** " (its last answer counts)", for so many seats that gave no answer. */
const keptNote = (kept: number, of: number): string => {
  if (kept === 0) return ''
  if (kept < of) return ` (of ${kept} the last answer counts)`
  return of === 1 ? ' (its last answer counts)' : ' (their last answers count)'
}

/** "1 silent (its last answer counts)", "2 abstained". One that has not answered is late, or the session ended before it did. */
export const missingParts = (tally: Tally, isOver = false): string[] => {
  const { silent, abstained, answered, of, kept = [] } = tally
  const late = of - answered - silent.length - abstained.length
  const keptSilent = kept.filter(({ seat }) => silent.includes(seat)).length
  const part = (count: number, words: string, still: number): string[] =>
    count > 0 ? [`${count} ${words}${keptNote(still, count)}`] : []
  return [
    ...part(silent.length, 'silent', keptSilent),
    ...part(abstained.length, 'abstained', 0),
    ...part(late, isOver ? 'without an answer' : 'late', kept.length - keptSilent),
  ]
}

/** Within a sentence: "the sealed round", "open round 1" */
export const roundPhrase = ({ index, sealed }: Pick<Round, 'index' | 'sealed'>): string =>
  sealed ? 'the sealed round' : `open round ${index}`

/** "its answer from the sealed round counts"; nothing if a seat gave none before. */
export const keptWords = (session: Session, { kept = [] }: Tally, seat: string): string => {
  const from = kept.find(one => one.seat === seat)
  const round = from && roundAt(session, from.round)
  return round ? `its answer from ${roundPhrase(round)} counts` : ''
}

// rankingWords: A table's ranking in words.

/** "A > B = C", with "(cycle)" if no order of them has a majority everywhere. */
export const rankingText = (ranking: CombinedRanking): string => {
  const { places, cycles } = ranking
  if (cycles.length === 0) return orderText(ranking)
  const all = cycles[0]!.length === places.flat().length
  const circles = cycles.map(cycle => (all ? 'cycle' : `cycle: ${cycle.join(', ')}`))
  return `${orderText(ranking)} (${circles.join('; ')})`
}

// figureWords: A table's number in words: rounded, with its range, and what counts as the same.

/** "about 85 km" */
export const aboutText = ({ about, step }: Figure, unit?: string): string =>
  `${step === 0 ? '' : 'about '}${numberText(about, unit)}`

/** "about 85 km (answers from 80 to 100 km)" */
export const figureText = (figure: Figure, unit?: string): string => {
  const { low, high, range } = figure
  const value = aboutText(figure, unit)
  if (low === high) return value
  return `${value} (${range === 'all' ? 'answers' : 'middle half'} from ${numbersText(low, high)})`
}

const sameIf = (tolerance: Tolerance, unit?: string): string => {
  switch (tolerance.by) {
    case 'factor':
      return `the largest of them is at most about ${Math.round(tolerance.factor)} times the smallest`
    case 'share':
      return `they are within ${numberText(tolerance.share * 100)}% of each other`
    case 'amount': {
      const { amount, given } = tolerance
      if (amount === 0) return 'they differ only by rounding'
      const size = numberText(given ? amount : Number(amount.toPrecision(2)), unit)
      return `they are within ${given ? size : `about ${size}`} of each other${given ? '' : ', as far as seats would still believe'}`
    }
    default:
      return tolerance satisfies never
  }
}

/** "Answers count as the same if the largest of them is at most about 3 times the smallest." Older rounds have no tolerance. */
export const toleranceText = (tolerance: Tolerance | undefined, unit?: string): string =>
  `Answers count as the same if ${tolerance ? sameIf(tolerance, unit) : 'they are equal'}.`

// figuresText: Figures of the group in words, for people and for seats alike.

/** "Median about 100 km; the middle half from 100 to 400 km". */
export const figuresText = (question: Pick<Question, 'unit'>, figures: Figures): string => {
  switch (figures.kind) {
    case 'quartiles': {
      const { low, median, high } = roundedQuartiles(figures)
      const middle = `Median ${median === figures.median ? '' : 'about '}${numberText(median, question.unit)}`
      return low === high
        ? `${middle}; the whole middle half says the same`
        : `${middle}; the middle half from ${numbersText(low, high, question.unit)}`
    }
    case 'shares':
      return `Shares: ${figures.shares.map(({ position, share }) => `${position} ${percent(share)}`).join(', ')}`
    case 'places':
      return `Median places: ${figures.places.map(({ option, median }) => `${option} ${median}`).join(', ')}`
    case 'prices':
      return `Prices: ${figures.prices.map(({ option, price }) => `${option} ${price.toFixed(2)}`).join(', ')}`
    default:
      return figures satisfies never
  }
}

/** "staked 40% of its purse on Rail at 0.33" */
export const stakeText = ({ option, price, stake }: Stake): string =>
  stake === 0
    ? `staked nothing on ${option} at ${price.toFixed(2)}`
    : `staked ${percent(stake)} of its purse on ${option} at ${price.toFixed(2)}`

// levelWords: How much a table agrees, in words. The log and the JSON export keep their own names for it.

export const levelWords: Record<Level, string> = {
  unanimous: 'unanimous',
  'unanimous-with-caveats': 'unanimous, with caveats',
  supermajority: 'large majority',
  majority: 'majority',
  plurality: 'no majority',
  tie: 'tie',
  split: 'split',
  'no-quorum': 'no quorum',
}

/** "Large majority", for a badge or the beginning of a line. A single seat has nobody to agree with. */
export const levelTitle = (level: Level, alone = false): string =>
  alone && level.startsWith('unanimous') ? 'One answer' : capitalised(levelWords[level])

/** The verdict's line beside a badge that has said its first words already. */
export const lineBeside = (level: Level | null, line: string): string => {
  const said = level ? `${levelTitle(level)}: ` : ''
  return line.startsWith(said) ? line.slice(said.length) : line
}

// peopleWords: People at the table: what readers are told about them, apart from the models.

type Holder = { readonly person?: boolean }

/** "6 models", or "6 seats" if people hold some of them. */
export const seatCount = (seats: readonly Holder[], count: number): string =>
  seats.some(({ person }) => person) ? models(count).replace('model', 'seat') : models(count)

/** "people 1 of 2, models 3 of 4": how many seats of each gave the leading answer, or what would lead without the others. */
export const apartWords = (
  { people, models: rest }: PeopleApart,
  leads: boolean,
  label: (camp: string) => string,
): string => {
  if (leads) return `people ${people.agree} of ${people.of}, models ${rest.agree} of ${rest.of}`
  const lead = ({ leading }: PartCount): string => (leading === null ? 'no lead' : label(leading))
  return people.leading === null && rest.leading === null
    ? ''
    : `people alone: ${lead(people)}, models alone: ${lead(rest)}`
}
