/** Scores every rule that works on recorded votes, against the majority and the best seat. */
import { randomFor, shuffled, UsageError } from '../core/basics.ts'
import { headlineKey } from '../core/question.ts'
import type { Context, Decision, Rule, Vote } from '../core/rules.ts'
import { wilson } from '../count/splits.ts'
import type { Level } from '../count/tally.ts'
import type { Verdict } from '../count/verdict.ts'
import { type Ballot, choiceRules, type Learning } from './rules.ts'

// bestSeat: The baseline that any table must beat: the single seat that did best on the labels.

export const bestSeat = ({ seats, labelled }: Learning): Rule => {
  const right = (seat: string): number =>
    labelled.filter(({ votes, gold }) => votes.get(seat) === gold).length
  const best = seats.reduce((one, other) => (right(other) > right(one) ? other : one))
  return {
    id: 'best-seat',
    label: 'Best seat',
    summary: 'The seat that was right most often on the labelled questions decides alone.',
    decide(votes) {
      const value = votes.find(vote => vote.seat === best)?.value ?? null
      return { value, tied: [], scores: value === null ? {} : { [value]: 1 }, notes: [] }
    },
  }
}

// kinds: Equal rows, told apart only once: recordings hold few different rows, and each is worth counting a single time.

export interface Kinds {
  /** The kind of each row. */
  readonly of: Int32Array
  /** A row of each kind: the first one. */
  readonly firsts: readonly number[]
}

export const kindsOf = (rows: number, keyOf: (row: number) => string): Kinds => {
  const known = new Map<string, number>()
  const firsts: number[] = []
  const of = Int32Array.from({ length: rows }, (_, row) => {
    const key = keyOf(row)
    const kind = known.get(key)
    if (kind !== undefined) return kind
    firsts.push(row)
    known.set(key, firsts.length - 1)
    return firsts.length - 1
  })
  return { of, firsts }
}

// bootstrap: Intervals by resampling questions. All columns see the same resamples, so their differences are paired.

/** From, to: the middle 95 %. */
export type Interval = readonly [number, number]

/** Each column's mean in every resample. */
export const resampledMeans = (
  columns: readonly Float64Array[],
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): Float64Array[] => {
  const rows = columns[0]?.length ?? 0
  const random = randomFor(`${seed}/bootstrap`)
  const { of: kinds, firsts } = kindsOf(rows, row => columns.map(column => column[row]).join())
  const values = columns.map(column => Float64Array.from(firsts, row => column[row]!))
  const counts = new Int32Array(firsts.length)
  const means = columns.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0)
    for (let row = 0; row < rows; row++) counts[kinds[Math.floor(random() * rows)]!]!++
    for (const [index, ofKinds] of values.entries()) {
      let sum = 0
      for (let kind = 0; kind < counts.length; kind++) sum += counts[kind]! * ofKinds[kind]!
      means[index]![resample] = sum / rows
    }
  }
  return means
}

const at = (sorted: Float64Array, share: number): number => {
  const place = share * (sorted.length - 1)
  const [lower, upper] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return lower + (upper - lower) * (place - Math.floor(place))
}

export const intervalOf = (means: Float64Array): Interval => {
  const sorted = Float64Array.from(means).sort()
  return [at(sorted, 0.025), at(sorted, 0.975)]
}

export const differenceInterval = (one: Float64Array, other: Float64Array): Interval =>
  intervalOf(one.map((value, index) => value - other[index]!))

export const meanOf = (column: Float64Array): number =>
  column.reduce((sum, value) => sum + value, 0) / Math.max(1, column.length)

/** Mean and interval of one column. */
export const estimated = (column: Float64Array, seed: string, resamples = 1000) => ({
  mean: meanOf(column),
  interval: intervalOf(resampledMeans([column], { resamples, seed })[0]!),
})

// csv: Comma-separated values by RFC 4180: quotes, doubled quotes, line ends inside quotes.

export interface Row {
  /** Where the row begins in the file, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

const plain = /[^",\r\n]*/y
const end = /,|\r\n|\n|\r|$/y

/** The match at exactly this place, or null. */
const matchAt = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place
  return pattern.exec(text)
}

/** The whole cell with its quotes. A regular expression would overflow its stack on a long one. */
const quotedAt = (text: string, place: number): string | undefined => {
  let close = text.indexOf('"', place + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  return close < 0 ? undefined : text.slice(place, close + 1)
}

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** Rows with their cells; empty lines are left out. */
export const rowsOf = (file: string): Row[] => {
  const text = file.replace(/^\ufeff/, '')
  const rows: Row[] = []
  let cells: string[] = []
  let [place, line, begins] = [0, 1, 1]
  while (place <= text.length) {
    const quoted = text[place] === '"'
    const cell = quoted ? quotedAt(text, place) : matchAt(plain, text, place)![0]
    const closed = cell === undefined ? null : matchAt(end, text, place + cell.length)
    if (cell === undefined || !closed)
      throw new UsageError(`Line ${line}: a quote isn't closed, or is closed too early.`)
    cells.push((quoted ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim())
    line += linesIn(cell)
    place += cell.length + closed[0].length
    if (closed[0] === ',') continue
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begins, cells })
    cells = []
    begins = ++line
    if (closed[0] === '') break
  }
  return rows
}

// recordedTable: The form that all recordings share: a row for each question with id, gold and what was answered.

export interface RecordedRow {
  readonly id: string
  readonly gold: string
  /** One for each column; empty if there was no answer. */
  readonly cells: readonly string[]
}

export interface RecordedTable {
  /** The names of the columns after id and gold. */
  readonly columns: readonly string[]
  readonly rows: readonly RecordedRow[]
}

const asked = 'The first line must be id,gold and then the name of each model.'

const columnsOf = (header: readonly string[]): string[] => {
  const [id, gold, ...columns] = header
  if (id?.toLowerCase() !== 'id' || gold?.toLowerCase() !== 'gold' || columns.length === 0)
    throw new UsageError(asked)
  const seen = new Set<string>()
  for (const column of columns) {
    if (column === '') throw new UsageError('A model has no name.')
    if (seen.has(column)) throw new UsageError(`The model ${column} has two columns.`)
    seen.add(column)
  }
  return columns
}

export const recordedTable = (file: string): RecordedTable => {
  const [header, ...rows] = rowsOf(file)
  if (!header) throw new UsageError(`The file is empty. ${asked}`)
  const columns = columnsOf(header.cells)
  if (rows.length === 0) throw new UsageError('The file has no questions.')
  return {
    columns,
    rows: rows.map(({ line, cells }) => {
      const [id = '', gold = '', ...answers] = cells
      if (answers.length !== columns.length)
        throw new UsageError(`Line ${line}: ${cells.length} cells instead of ${columns.length + 2}.`)
      if (gold === '') throw new UsageError(`Line ${line}: ${id} has no right answer.`)
      return { id, gold, cells: answers }
    }),
  }
}

// votes: Recorded votes: what models answered to questions with known answers.

export interface RecordedQuestion {
  readonly id: string
  readonly gold: string
  /** From seat to answer; seats that didn't answer are missing. */
  readonly votes: Ballot
}

export interface Recording {
  readonly seats: readonly string[]
  /** Every answer that was right or given anywhere. */
  readonly options: readonly string[]
  readonly questions: readonly RecordedQuestion[]
}

export const recordingOf = ({ columns, rows }: RecordedTable): Recording => {
  const questions = rows.map(({ id, gold, cells }) => {
    const given = cells.flatMap((vote, seat) => (vote === '' ? [] : [[columns[seat]!, vote] as const]))
    return { id, gold, votes: new Map(given) }
  })
  const options = new Set(questions.flatMap(({ gold, votes }) => [gold, ...votes.values()]))
  return { seats: columns, options: [...options].sort(), questions }
}

export const recordingFrom = (file: string): Recording => recordingOf(recordedTable(file))

/** Finds seats by part of their name; a whole name or the end of one comes first. */
export const seatsNamed = (seats: readonly string[], names: readonly string[]): string[] => {
  const found = names.map(name => seatNamed(seats, name))
  const twice = found.find((seat, index) => found.indexOf(seat) !== index)
  if (twice !== undefined) throw new UsageError(`${twice} is named twice.`)
  return found
}

const seatNamed = (seats: readonly string[], name: string): string => {
  const wanted = name.toLowerCase()
  const fits: readonly ((seat: string) => boolean)[] = [
    seat => seat === wanted,
    seat => seat.endsWith(`/${wanted}`),
    seat => seat.endsWith(wanted),
    seat => seat.includes(wanted),
  ]
  for (const fit of fits) {
    const matching = seats.filter(seat => fit(seat.toLowerCase()))
    if (matching.length === 1) return matching[0]!
    if (matching.length > 1)
      throw new UsageError(`"${name}" could be ${matching.join(' or ')}. Write more of the name.`)
  }
  throw new UsageError(`No model is called "${name}". The file has ${seats.join(', ')}.`)
}

/** Only these seats. */
export const withSeats = (recording: Recording, seats: readonly string[]): Recording => ({
  ...recording,
  seats,
  questions: recording.questions.map(question => ({
    ...question,
    votes: new Map(
      seats.flatMap(seat => (question.votes.has(seat) ? [[seat, question.votes.get(seat)!]] : [])),
    ),
  })),
})

/** "openai" from "openai/gpt-4o": models of one maker err together. Without a maker, a name is its own. */
export const familyOf = (seat: string): string => seat.split('/')[0]!

// gates: Gates: the sealed vote settles a question if enough of the table agrees.

/** The gate of the `hybrid` protocol. */
const usualGate = 0.8

/** The largest camp's share of the whole table, silent seats included. */
export const supportOf = (votes: readonly Vote[], seats: number): number => {
  const counts = new Map<string, number>()
  for (const { value } of votes) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values()) / Math.max(1, seats)
}

/** The sealed vote if it is clear, otherwise another rule. */
const gated = (threshold: number, seats: number, open: Rule, otherwise: Rule): Rule => ({
  id: `gate-${otherwise.id}`,
  label: `Gate, else ${otherwise.label}`,
  summary: `The majority if at least ${threshold * 100} % agree, otherwise ${otherwise.label}.`,
  decide: (votes: readonly Vote[], context: Context) =>
    (supportOf(votes, seats) >= threshold - 1e-9 ? open : otherwise).decide(votes, context),
})

export interface Gate {
  readonly threshold: number
  /** Share of all questions that it settles. */
  readonly settled: number
  /** How often the majority is right among those, and among the others. */
  readonly accuracySettled: number | null
  readonly accuracyOpen: number | null
  /** How often any seat is right among the others: the most that an open round could gain. */
  readonly ceilingOpen: number | null
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** What gates at different thresholds would settle, and how well. */
export const gatesOf = (
  recording: Recording,
  votes: readonly (readonly Vote[])[],
  majority: Float64Array,
): Gate[] => {
  const seats = recording.seats.length
  const support = votes.map(given => supportOf(given, seats))
  const anyRight = recording.questions.map(({ gold, votes: given }) => [...given.values()].includes(gold))
  return [1 / 2, 2 / 3, usualGate, 1].map(threshold => {
    const all = [...support.keys()]
    const settled = all.filter(index => support[index]! >= threshold - 1e-9)
    const open = all.filter(index => support[index]! < threshold - 1e-9)
    const right = (some: readonly number[]): number => some.reduce((sum, index) => sum + majority[index]!, 0)
    return {
      threshold,
      settled: settled.length / Math.max(1, all.length),
      accuracySettled: share(right(settled), settled.length),
      accuracyOpen: share(right(open), open.length),
      ceilingOpen: share(open.filter(index => anyRight[index]).length, open.length),
    }
  })
}

// mcnemar: McNemar's exact test: whether two methods differ on the same questions by more than chance.

export interface McNemar {
  /** Questions that only the first, or only the second, got right. */
  readonly won: number
  readonly lost: number
  /** Two-sided. */
  readonly p: number
}

/** Half credit (a tie) doesn't say which one is better, so those questions are left out. */
export const mcnemar = (one: Float64Array, other: Float64Array): McNemar => {
  let [won, lost] = [0, 0]
  for (const [index, credit] of one.entries()) {
    if (credit === 1 && other[index] === 0) won++
    if (credit === 0 && other[index] === 1) lost++
  }
  return { won, lost, p: Math.min(1, 2 * tailOf(Math.min(won, lost), won + lost)) }
}

/** The probability of at most this many heads; in logarithms, because 2 ** -2000 underflows to zero. */
const tailOf = (heads: number, throws: number): number => {
  let logarithm = -throws * Math.LN2
  let sum = 0
  for (let count = 0; count <= heads; count++) {
    sum += Math.exp(logarithm)
    logarithm += Math.log((throws - count) / (count + 1))
  }
  return sum
}

// paired: Two methods on the same questions: the difference of their means, its interval, and McNemar's test.

export interface PairedDifference extends McNemar {
  readonly difference: number
  readonly interval: Interval
}

const resamples = 2000

/** Questions are resampled together, so those that are hard for both don't widen the interval. */
export const pairedDifference = (one: Float64Array, other: Float64Array, seed: string): PairedDifference => {
  const [mine, theirs] = resampledMeans([one, other], { resamples, seed })
  return {
    difference: meanOf(one) - meanOf(other),
    interval: differenceInterval(mine!, theirs!),
    ...mcnemar(one, other),
  }
}

// splits: Which questions rules may learn from, and which are left to score them.

/** The result of one small set of labels is luck, so it is repeated with others. */
export const draws = 20

export interface Split {
  readonly labels: readonly number[]
  readonly isLabel: Uint8Array
}

/** In a small file, at least half of the questions stay to be scored. */
export const labelsFor = (asked: number, questions: number): number =>
  Math.max(0, Math.min(asked, Math.floor(questions / 2)))

/**
 * Windows on one shuffled circle of questions: each question is a label about equally often, and is decided at
 * least once, because two neighbouring windows never share one.
 */
export const splitsOf = (questions: number, labels: number, seed: string): Split[] => {
  const order = shuffled([...Array(questions).keys()], `${seed}/labels`)
  return Array.from({ length: labels === 0 ? 1 : draws }, (_, draw) => {
    const window = Array.from({ length: labels }, (_, place) => order[(draw * labels + place) % questions]!)
    const isLabel = new Uint8Array(questions)
    for (const question of window) isLabel[question] = 1
    return { labels: window, isLabel }
  })
}

export interface Comparison {
  readonly difference: number
  readonly interval: Interval
}

export interface Measured {
  readonly name: string
  readonly label: string
  readonly summary: string
  readonly accuracy: number
  readonly interval: Interval
  /** Without labels there is no way to choose the best seat. */
  readonly against: { readonly majority: Comparison; readonly bestSeat?: Comparison }
  /** Share of questions that it couldn't decide; a tie between two answers counts as half right. */
  readonly ties: number
  /** The spread over draws of labels, for rules that learn. */
  readonly draws?: { readonly lowest: number; readonly highest: number; readonly aboveMajority: number }
}

export interface Replay {
  readonly questions: number
  readonly seats: readonly string[]
  readonly rules: readonly Measured[]
  readonly labels: number
  readonly draws: number
  readonly resamples: number
  readonly seed: string
  /** How often each seat alone is right, and any of them. */
  readonly alone: readonly { readonly seat: string; readonly accuracy: number }[]
  readonly anySeatRight: number
  /** How often two seats that are both wrong say the same. */
  readonly sameWhenBothWrong: number | null
  readonly gates: readonly Gate[]
}

export interface ReplayOptions {
  readonly labels: number
  readonly seed: string
  readonly resamples?: number
  /** Called after each draw of labels. */
  readonly onProgress?: (done: number, of: number) => void
}

/** One rule's results: for each question, the mean over the draws in which it wasn't a label. */
interface Column {
  readonly rule: Rule
  readonly learns: boolean
  readonly right: Float64Array
  readonly tied: Float64Array
  /** Accuracy in each draw, and the majority's on the same questions. */
  readonly byDraw: (readonly [number, number])[]
}

/** A tie between two is half right: what a coin would get on average. */
const credit = ({ value, tied }: Decision, gold: string): number => {
  if (value !== null) return value === gold ? 1 : 0
  return tied.includes(gold) ? 1 / tied.length : 0
}

/** The rules that need nothing but recorded votes. Gates come last, because they are made of other rules. */
const rulesFor = (learning: Learning): { rule: Rule; learns: boolean }[] => {
  const fitting = choiceRules.filter(({ needs }) => ['nothing', 'labels', 'ballots'].includes(needs))
  const plain = fitting.map(({ needs, create }) => ({ rule: create(learning), learns: needs === 'labels' }))
  if (learning.labelled.length === 0) return plain.filter(({ learns }) => !learns)
  const best = bestSeat(learning)
  const [majority, ...others] = plain.map(({ rule }) => rule)
  const learnt = others.find(rule => rule.id === 'portfolio')!
  const gates = [best, learnt].map(rule => gated(usualGate, learning.seats.length, majority!, rule))
  return [...plain, ...[best, ...gates].map(rule => ({ rule, learns: true }))]
}

const votesOf = (recording: Recording): Vote[][] =>
  recording.questions.map(({ votes }) => [...votes].map(([seat, value]) => ({ seat, value })))

/** Rules that don't learn give the same result in every draw, so they run once. */
const decideAll = (
  recording: Recording,
  votes: readonly Vote[][],
  splits: readonly Split[],
  onProgress: ReplayOptions['onProgress'],
): Column[] => {
  const { questions, seats } = recording
  const context: Context = { options: recording.options }
  const ballots = questions.map(question => question.votes)
  const columns: Column[] = []
  const counts = new Float64Array(questions.length)
  for (const split of splits)
    for (const index of questions.keys()) counts[index]! += split.isLabel[index] ? 0 : 1
  for (const [draw, split] of splits.entries()) {
    const labelled = split.labels.map(index => questions[index]!)
    const learning = {
      seats,
      options: recording.options.length,
      labelled,
      ballots: draw === 0 ? ballots : [],
      familyOf,
    }
    for (const [place, { rule, learns }] of rulesFor(learning).entries()) {
      columns[place] ??= {
        rule,
        learns,
        right: new Float64Array(questions.length),
        tied: new Float64Array(questions.length),
        byDraw: [],
      }
      const column = columns[place]
      if (learns) decideDraw(column, rule, { recording, votes, context, split, majority: columns[0]!.right })
      else if (draw === 0) decideOnce(column, rule, recording, votes, context)
    }
    onProgress?.(draw + 1, splits.length)
  }
  // Divided once at the end: adding up fractions would leave rounding errors that look like a difference.
  for (const { right, tied } of columns.filter(column => column.learns)) {
    for (const [index, count] of counts.entries()) {
      right[index]! /= count
      tied[index]! /= count
    }
  }
  return columns
}

const decideOnce = (
  column: Column,
  rule: Rule,
  recording: Recording,
  votes: readonly Vote[][],
  context: Context,
): void => {
  for (const [index, { gold }] of recording.questions.entries()) {
    const decision = rule.decide(votes[index]!, context)
    column.right[index] = credit(decision, gold)
    column.tied[index] = decision.tied.length > 0 ? 1 : 0
  }
}

interface Draw {
  readonly recording: Recording
  readonly votes: readonly Vote[][]
  readonly context: Context
  readonly split: Split
  readonly majority: Float64Array
}

const decideDraw = (column: Column, rule: Rule, draw: Draw): void => {
  let [right, plain, decided] = [0, 0, 0]
  for (const [index, { gold }] of draw.recording.questions.entries()) {
    if (draw.split.isLabel[index]) continue
    const decision = rule.decide(draw.votes[index]!, draw.context)
    const got = credit(decision, gold)
    column.right[index]! += got
    column.tied[index]! += decision.tied.length > 0 ? 1 : 0
    right += got
    plain += draw.majority[index]!
    decided++
  }
  column.byDraw.push([right / decided, plain / decided])
}

const drawsOf = ({ byDraw }: Column): Measured['draws'] => ({
  lowest: Math.min(...byDraw.map(([own]) => own)),
  highest: Math.max(...byDraw.map(([own]) => own)),
  aboveMajority: byDraw.filter(([own, plain]) => own > plain).length / byDraw.length,
})

const measure = (columns: readonly Column[], resamples: number, seed: string): Measured[] => {
  const means = resampledMeans(
    columns.map(column => column.right),
    { resamples, seed },
  )
  const against = (place: number, other: number): Comparison => ({
    difference: meanOf(columns[place]!.right) - meanOf(columns[other]!.right),
    interval: differenceInterval(means[place]!, means[other]!),
  })
  const best = columns.findIndex(({ rule }) => rule.id === 'best-seat')
  return columns.map((column, place) => ({
    name: column.rule.id,
    label: column.rule.label,
    summary: column.rule.summary,
    accuracy: meanOf(column.right),
    interval: intervalOf(means[place]!),
    against: { majority: against(place, 0), ...(best >= 0 && { bestSeat: against(place, best) }) },
    ties: meanOf(column.tied),
    ...(column.learns && { draws: drawsOf(column) }),
  }))
}

/** Over all pairs of seats that are both wrong. */
const sameWhenBothWrong = ({ questions }: Recording): number | null => {
  let [same, both] = [0, 0]
  for (const { votes, gold } of questions) {
    const wrong = [...votes.values()].filter(vote => vote !== gold)
    for (const [place, one] of wrong.entries()) {
      for (const other of wrong.slice(place + 1)) {
        both++
        if (one === other) same++
      }
    }
  }
  return both === 0 ? null : same / both
}

export const replay = (recording: Recording, options: ReplayOptions): Replay => {
  const { questions, seats } = recording
  const { seed, resamples = 2000 } = options
  const labels = labelsFor(options.labels, questions.length)
  const splits = splitsOf(questions.length, labels, seed)
  const votes = votesOf(recording)
  const columns = decideAll(recording, votes, splits, options.onProgress)
  const count = (right: (question: Recording['questions'][number]) => boolean): number =>
    questions.filter(right).length / questions.length
  return {
    questions: questions.length,
    seats,
    rules: measure(columns, resamples, seed),
    labels,
    draws: splits.length,
    resamples,
    seed,
    alone: seats.map(seat => ({ seat, accuracy: count(({ votes, gold }) => votes.get(seat) === gold) })),
    anySeatRight: count(({ votes, gold }) => [...votes.values()].includes(gold)),
    sameWhenBothWrong: sameWhenBothWrong(recording),
    gates: gatesOf(recording, votes, columns[0]!.right),
  }
}

// stability: How stable a verdict is when the same table gets the same question several times.

/** The parts of a run that matter here. */
export interface Run {
  readonly id: string
  readonly seed: string
  /** The leading answer; null if there is a tie, a split or no quorum. */
  readonly leading: string | null
  readonly level: Level | null
  readonly agree: number
  readonly of: number
  readonly flips: number
}

export interface Leader {
  readonly answer: string
  readonly runs: number
  readonly share: number
  readonly interval: Interval
}

/** Mean and extremes over the runs. */
export interface Spread {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export interface Stability {
  readonly runs: readonly Run[]
  /** Most often leading first. */
  readonly leaders: readonly Leader[]
  /** Runs without a leading answer. */
  readonly undecided: number
  /** The probability that two of these runs, chosen at random, agree; null with fewer than two runs. */
  readonly sameTwice: number | null
  /** Share of the table in the largest camp. */
  readonly agreement: Spread
  readonly flips: Spread
  /** What made two answers the same. */
  readonly comparedBy: 'value' | 'headline' | 'moderator'
}

/** The leading camp in words: its headline for an open question, otherwise its value. */
export const leadingWords = ({ leading, final, sealed }: Verdict, open: boolean): string | null => {
  const camp = [...(final?.camps ?? []), ...(sealed?.camps ?? [])].find(({ id }) => id === leading)
  return leading === null || !camp ? null : open ? camp.headline : camp.label
}

const spreadOf = (values: readonly number[]): Spread => ({
  mean: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
  low: Math.min(...values),
  high: Math.max(...values),
})

const keyOf = (run: Run): string | null => (run.leading === null ? null : headlineKey(run.leading))

/**
 * Two runs agree if the same answer led; two runs without a leading answer don't agree. `keys` has a comparable form
 * of each run's leading answer; without it, equal headlines or values count as the same.
 */
export const stabilityOf = (
  runs: readonly Run[],
  comparedBy: Stability['comparedBy'],
  keys: readonly (string | null)[] = runs.map(keyOf),
): Stability => {
  const groups = new Map<string, Run[]>()
  for (const [index, run] of runs.entries()) {
    const key = keys[index] ?? null
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), run])
  }
  const leaders = [...groups.values()]
    .map(group => ({
      answer: group[0]!.leading ?? '',
      runs: group.length,
      share: group.length / runs.length,
      interval: wilson(group.length, runs.length),
    }))
    .sort((one, other) => other.runs - one.runs)
  const pairs = leaders.reduce((sum, { runs: count }) => sum + count * (count - 1), 0)
  return {
    runs,
    leaders,
    undecided: runs.length - leaders.reduce((sum, leader) => sum + leader.runs, 0),
    sameTwice: runs.length < 2 ? null : pairs / (runs.length * (runs.length - 1)),
    agreement: spreadOf(runs.map(({ agree, of }) => agree / of)),
    flips: spreadOf(runs.map(({ flips }) => flips)),
    comparedBy,
  }
}
