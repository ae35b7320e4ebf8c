/** The figures of `bench live` on a terminal. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import {
  costText,
  counted,
  dollars,
  inPercent,
  located,
  percent,
  shortNumber,
  signedPoints,
  UsageError,
  wholeNumber,
} from '../core/basics.ts'
import { type Form, forms } from '../core/form.ts'
import { type Carry, carries } from '../core/opening.ts'
import { levelWords } from '../count/tally.ts'
import { withArchive } from '../terminal/archive.ts'
import type { AskFlags } from '../terminal/ask-flags.ts'
import { exitCodes } from '../terminal/program-name.ts'
import {
  type DefineCommand,
  grid,
  hanging,
  type Look,
  listFrom,
  paintFor,
  paragraph,
  type Shell,
  wholeNumberFrom,
  whyUnread,
} from '../terminal/terminal.ts'
import { carryTitles } from '../words/asking.ts'
import {
  type Against,
  type DebateReplay,
  type DebateSet,
  type Directions,
  debatesFrom,
  hasRounds,
  type PoolFigures,
  replayDebates,
  type SetFigures,
  withSeatsNamed,
} from './debates.ts'
import {
  type AnswerMethod,
  type CarryShares,
  type FormComparison,
  type GoldQuestion,
  type MethodComparison,
  questionsFrom,
  type RunComparison,
} from './live.ts'
import { type Parts, pageOf } from './page.ts'
import {
  type Measured,
  type PairedDifference,
  type Recording,
  type Replay,
  recordedTable,
  recordingOf,
  replay,
  seatsNamed,
  withSeats,
} from './replay.ts'
import type { CarryResult, LiveBench, LiveResult } from './trials.ts'

const wayRow =
  (questions: number) =>
  (way: AnswerMethod): string[] => [
    way.label,
    `${inPercent(way.accuracy)} (${inPercent(way.interval[0])}–${inPercent(way.interval[1])})`,
    String(way.ties),
    shortNumber(way.tokens / Math.max(1, questions)),
    costText(way.costUsd === null ? null : way.costUsd / Math.max(1, questions)),
  ]

const wayTable = ({ ways, questions }: LiveResult, look: Look): string[] => {
  const heads = ['Way', 'Right, %', 'Ties', 'Tokens', 'Each']
  const [head = '', ...lines] = grid([heads, ...ways.map(wayRow(questions))], look)
  return [look.paint.strong(head), ...lines]
}

/** So few questions don't support more than three digits. */
export const probability = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3))

const comparedWith = (name: string): string =>
  name.startsWith('self-consistency') ? 'self-consistency' : name

export const pairedCells = ({ difference, interval, won, lost, p }: PairedDifference): string[] => [
  `${signedPoints(difference)} (${signedPoints(interval[0])} to ${signedPoints(interval[1])})`,
  `${won}:${lost}`,
  probability(p),
]

const comparisonRow = (label: string, compared: MethodComparison): string[] => [
  label,
  comparedWith(compared.with),
  ...pairedCells(compared),
]

const comparisonTable = ({ ways }: LiveResult, look: Look): string[] => {
  const rows = ways.flatMap(way => way.against.map(one => comparisonRow(way.label, one)))
  const [head = '', ...lines] = grid([['Way', 'Against', 'Points', 'Only', 'p'], ...rows], look)
  return [look.paint.strong(head), ...lines]
}

const flipWords = ({ label, flips }: AnswerMethod): string[] =>
  flips
    ? [
        `${label}: ${flips.wrongToRight} wrong→right, ${flips.rightToWrong} right→wrong` +
          (flips.ratio === null ? '' : `, ${flips.ratio.toFixed(2)} to 1`),
      ]
    : []

const seatTable = ({ alone, anySeatRight }: LiveResult, look: Look): string[] =>
  grid(
    [
      ...[...alone]
        .sort((one, other) => other.accuracy - one.accuracy)
        .map(one => [inPercent(one.accuracy), one.seat]),
      [inPercent(anySeatRight), 'any of them'],
    ],
    look,
  )

const method = ({ best, dev }: LiveResult): string =>
  [
    `The best seat is ${best?.name}: right on ${best?.right} of the ${dev} questions that chose it, which aren't scored.`,
    'Equal tokens: the best seat answers as often as the same tokens allow, and its answers vote (self-consistency).',
    'Points have 95% intervals from paired resamples of the questions. "Only" counts the questions that only one of',
    "the two got right, and p is from McNemar's exact test. A tie between two answers counts as half right.",
    'Every debate starts from the same sealed answers.',
  ].join(' ')

const formWords: Readonly<Record<Form, string>> = {
  'reasoning-first': 'reasoning first',
  'answer-first': 'answer first',
}

const formRow = (one: FormComparison): string[] => [
  one.method,
  inPercent(one.reasoningFirst),
  inPercent(one.answerFirst),
  ...pairedCells(one),
]

/** The difference between the two forms, for each method. */
export const formLines = (compared: readonly FormComparison[], look: Look): string[] => {
  const heads = ['Way', 'Reasoning', 'Answer', 'Points', 'Only', 'p']
  const [head = '', ...lines] = grid([heads, ...compared.map(formRow)], look)
  const questions = counted(compared[0]?.questions ?? 0, 'question')
  const note = `How many percent of the same ${questions} were right with the reasoning first, and with the answer first. Points above zero: reasoning first is right more often.`
  return [look.paint.strong(head), ...lines, '', ...paragraph(note, 1, look, look.paint.faint)]
}

/** What reading letters was worth, for each method. */
export const letterLines = (compared: readonly RunComparison[], look: Look): string[] => {
  const rows = compared.map(one => [
    one.method,
    inPercent(one.first),
    inPercent(one.second),
    ...pairedCells(one),
  ])
  const heads = ['Way', 'Letters', 'None', 'Points', 'Only', 'p']
  const [head = '', ...lines] = grid([heads, ...rows], look)
  const questions = counted(compared[0]?.questions ?? 0, 'question')
  const note = `How many percent of the same ${questions} were right if seats had read the letters, and if they had not. Points above zero: the letters helped.`
  return [look.paint.strong(head), ...lines, '', ...paragraph(note, 1, look, look.paint.faint)]
}

export const liveLines = (found: LiveResult, look: Look): string[] => {
  const spent = `${shortNumber(found.spent.tokens)} tokens, ${found.spent.costUsd === null ? 'cost unknown' : dollars(found.spent.costUsd)}`
  const title = look.paint.strong(
    ` ${counted(found.questions, 'question')} scored, ${counted(found.seats.length, 'seat')}, ${formWords[found.form]}; spent ${spent}`,
  )
  if (found.questions === 0) return [title]
  const flips = found.ways.flatMap(flipWords)
  return [
    title,
    ...seatTable(found, look),
    '',
    ...wayTable(found, look),
    '',
    ...comparisonTable(found, look),
    '',
    ...(flips.length > 0 ? paragraph(`Flips of seats: ${flips.join('; ')}.`, 1, look) : []),
    ...paragraph(method(found), 1, look, look.paint.faint),
  ]
}

// carryView: The figures of `bench live --carry` on a terminal.

const row = (label: string, { questions, none, carried }: CarryShares): string[] =>
  questions === 0
    ? [label, '0', '–', '–', '', '', '']
    : [label, String(questions), inPercent(none), inPercent(carried), '', '', '']

const compared = (label: string, shares: CarryShares, cells: readonly string[]): string[] => [
  ...row(label, shares).slice(0, 4),
  ...cells,
]

export const carryLines = (found: CarryResult, look: Look): string[] => {
  const { questions, first, none, carried, seats, afterRight, afterWrong, spent } = found
  const cost = spent.costUsd === null ? 'cost unknown' : dollars(spent.costUsd)
  const title = ` ${counted(questions, 'question')} asked again after their first session, ${counted(found.models.length, 'seat')}; spent ${shortNumber(spent.tokens)} tokens, ${cost}`
  if (questions === 0) return [look.paint.strong(title)]
  const heads = ['', 'Questions', 'Told nothing', 'Told', 'Points', 'Only', 'p']
  const [head = '', ...lines] = grid(
    [
      heads,
      compared('Verdict', { questions, none, carried }, pairedCells(found.compared)),
      compared('Each seat', seats, pairedCells(seats.compared)),
      row('After a right verdict', afterRight),
      row('After a wrong verdict', afterWrong),
    ],
    look,
  )
  const note = [
    `How many percent were right. The first time, ${inPercent(first)} of the verdicts were.`,
    `Then the same table got the same question as a follow-up, sealed: once told nothing, once told ${carryTitles[found.carry]}.`,
    'Points above zero: carrying it over helps. They have 95% intervals from paired resamples of the questions.',
  ].join(' ')
  return [
    look.paint.strong(title),
    look.paint.strong(head),
    ...lines,
    '',
    ...paragraph(note, 1, look, look.paint.faint),
  ]
}

// debatesView: The tables of `bench replay` for debates on a terminal.

const table = (heads: readonly string[], rows: readonly (readonly string[])[], look: Look): string[] => {
  const [head = '', ...lines] = grid([heads, ...rows], look)
  return [look.paint.strong(head), ...lines]
}

/** "+0.43 (+0.08 to +0.77) ✓": the mark says that zero isn't in the interval. */
const interval = ({ mean, low, high }: Against): string => {
  const mark = low > 0 ? ' ✓' : high < 0 ? ' ✗' : ''
  return `${signedPoints(mean, 2)} (${signedPoints(low, 2)} to ${signedPoints(high, 2)})${mark}`
}

const directions = ({ better, worse, other }: Directions): string => `${better} : ${worse} : ${other}`

/** Of many rounds only the sealed and the last one fit. */
const rounds = (byRound: readonly number[]): string => {
  const shares = byRound.map(share => inPercent(share))
  return shares.length > 3 ? `${shares[0]} … ${shares.at(-1)}` : shares.join(' ')
}

const setTable = (sets: readonly SetFigures[], look: Look): string[] =>
  table(
    ['Set', 'Sessions', 'Seats', 'By round, %', 'Flips'],
    sets.map(set => [
      set.name,
      wholeNumber(set.sessions),
      String(set.seats),
      rounds(set.byRound),
      directions(set.flips),
    ]),
    look,
  )

const ruleTable = ({ rules }: PoolFigures, look: Look): string[] =>
  table(
    ['Rule', 'Right, %', 'Against last, points', 'Ties', 'Made'],
    rules.map(rule => [
      rule.name,
      inPercent(rule.accuracy),
      rule.name === 'last' ? '–' : interval(rule.againstLast),
      wholeNumber(rule.ties),
      wholeNumber(rule.tiesMade),
    ]),
    look,
  )

const decimals = (value: number): string => value.toFixed(4).replace('-', '−')

const brierTable = ({ rules }: PoolFigures, look: Look): string[] =>
  table(
    ['Rule', 'Right, %', 'Brier', 'Brier against last'],
    rules.map(({ name, accuracy, brier = 0, brierAgainstLast: { mean, low, high } = zero }) => [
      name,
      inPercent(accuracy),
      decimals(brier),
      name === 'last' ? '–' : `${decimals(mean)} (${decimals(low)} to ${decimals(high)})`,
    ]),
    look,
  )

const zero: Against = { mean: 0, low: 0, high: 0 }

/** Only differences whose interval leaves zero out: the others are in the document and on the page. */
const sourceLines = ({ sources }: DebateReplay, { kind }: PoolFigures, look: Look): string[] =>
  sources
    .filter(source => source.kind === kind)
    .flatMap(({ name, sessions, last, rules }) => {
      const certain = rules.filter(({ againstLast: { low, high } }) => low > 0 || high < 0)
      const found = certain.map(rule => `${rule.name} ${interval(rule.againstLast)}`).join(', ')
      const facts = `${counted(sessions, 'session')}, last ${inPercent(last)}%`
      return hanging(`${name}:`, `${facts}; ${found || 'no certain difference'}`, 1, look)
    })

const poolLines = (replay: DebateReplay, pool: PoolFigures, look: Look): string[] => [
  look.paint.strong(
    ` ${counted(pool.sets, 'set')} of ${pool.kind}, ${counted(pool.sessions, 'session')}: ` +
      `sealed ${inPercent(pool.sealed)}% right, last ${inPercent(pool.last)}%`,
  ),
  ` Flips ${directions(pool.flips)}, overturned leaders ${directions(pool.overturned)}`,
  ...(pool.kind === 'votes' ? ruleTable(pool, look) : brierTable(pool, look)),
  ...sourceLines(replay, pool, look),
  '',
  ...(pool.splits.length > 0 ? [...splitTable(pool, look), ''] : []),
]

const splitTable = ({ splits }: PoolFigures, look: Look): string[] =>
  table(
    ['Sealed vote', 'Sessions', 'Sealed right, %', 'Last right, %'],
    splits.map(({ level, sessions, sealed, last }) => [
      levelWords[level],
      wholeNumber(sessions),
      inPercent(sealed),
      `${inPercent(last.mean)} (${inPercent(last.low)}–${inPercent(last.high)})`,
    ]),
    look,
  )

const choiceText = ({ choice }: DebateReplay): string[] => {
  if (!choice) return []
  const out = choice.excluded.map(({ rule, reason }) => `${rule} ${reason}`).join('; ')
  const heldOut = choice.heldOut.map(({ source, rule, againstLast }) =>
    rule === 'last' ? `${source}: last` : `${source}: ${rule} (${signedPoints(againstLast.mean, 2)})`,
  )
  return [
    `By the criterion of decision 28, these sets choose: ${choice.rule}. Best of the rules that are left: ${choice.best}. Out: ${out || 'none'}.`,
    `Chosen on all other sources, and its difference to the last vote on the one named: ${heldOut.join(', ')}.`,
  ]
}

const debatesMethod = ({ pooled, resamples, parts }: DebateReplay): string =>
  'Flips and overturned leaders are wrong to right : right to wrong : wrong to another wrong answer. ' +
  `Ranges are 95% intervals from ${wholeNumber(resamples)} paired resamples of ${pooled.resampled}; ✓ ✗ zero is outside. ` +
  'Sources are resampled by sessions. Ties made are those that the last vote decides. A tie of two counts as half right. ' +
  'A session that nobody answered in its last round is wrong for every rule. ' +
  `A probability is right if it is on the right side of 50%; exactly 50% is a tie. ${parts}`

export const debateLines = (replay: DebateReplay, look: Look): string[] => [
  ...setTable(replay.sets, look),
  '',
  ...[replay.pooled, ...(replay.probabilities ? [replay.probabilities] : [])].flatMap(pool =>
    poolLines(replay, pool, look),
  ),
  ...[...choiceText(replay), debatesMethod(replay)].flatMap(text =>
    paragraph(text, 1, look, look.paint.faint),
  ),
]

// files: What the `bench` commands share: reading votes, showing progress, writing the page.

/** A larger file isn't a recording, and reading it would take all memory. */
const largestFile = 100_000_000

const textOf = (path: string, { cwd }: Pick<Shell, 'cwd'>): string => {
  const whole = resolve(cwd, path)
  const size = statSync(whole, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestFile)
    throw new UsageError(
      `it has ${wholeNumber(size)} bytes. At most ${wholeNumber(largestFile)} can be read.`,
    )
  try {
    return readFileSync(whole, 'utf8')
  } catch (error) {
    throw new UsageError(`it can't be read: ${whyUnread(error)}`)
  }
}

/** Puts the file or option that a mistake is in before its message. */
const named = <T>(source: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw located(source, error)
  }
}

/** What the files hold: the votes of one file, or the debates of any number. */
export type Recorded = { readonly votes: Recording } | { readonly debates: readonly DebateSet[] }

/** "forecast_homo" of "data/forecast_homo.csv"; the whole path if another file has the same name. */
const setName = (path: string, paths: readonly string[]): string => {
  const short = (one: string): string => basename(one).replace(/\.csv$/i, '')
  return paths.filter(one => short(one) === short(path)).length > 1 ? path : short(path)
}

/** Reads recordings, for the seats that were asked for. The columns say which kind a file is. */
export const recordedIn = (
  paths: readonly string[],
  seats: string | undefined,
  folder: Pick<Shell, 'cwd'>,
): Recorded => {
  const names = seats === undefined ? [] : listFrom(seats)
  const debates: DebateSet[] = []
  for (const path of paths) {
    const table = named(path, () => recordedTable(textOf(path, folder)))
    if (!hasRounds(table)) {
      if (paths.length > 1) throw located(path, new UsageError(oneFileOfVotes))
      const votes = recordingOf(table)
      return {
        votes:
          seats === undefined
            ? votes
            : named('--seats', () => withSeats(votes, seatsNamed(votes.seats, names))),
      }
    }
    const set = named(path, () => debatesFrom(setName(path, paths), table))
    debates.push(seats === undefined ? set : named(`--seats in ${path}`, () => withSeatsNamed(set, names)))
  }
  return { debates }
}

const oneFileOfVotes =
  'its columns name no rounds. Several files can be given at once if all are debates, with columns like model@0.'

/** "Replaying 7/20", on a terminal only; erased at the end. */
export const progressOn =
  (shell: Shell, doing: string) =>
  (done: number, of: number): void => {
    if (!shell.stderr.isTTY) return
    shell.stderr.write(done < of ? `\r${doing} ${done}/${of}` : `\r${' '.repeat(doing.length + 12)}\r`)
  }

export const writePage = (path: string, parts: Parameters<typeof pageOf>[0], shell: Shell): void => {
  writeFileSync(resolve(shell.cwd, path), pageOf(parts))
  shell.stderr.write(`Written to ${path}\n`)
}

// liveFiles: The questions of `bench live`, and the folder that keeps its sessions.

/** Question sets that are part of the package, by name. */
const shipped: Readonly<Record<string, URL>> = {
  tricks: new URL('tricks.jsonl', import.meta.url),
}

const placeOf = (name: string, cwd: string): string | URL => {
  const path = resolve(cwd, name)
  const known = Object.hasOwn(shipped, name) ? shipped[name] : undefined
  return known && !existsSync(path) ? known : path
}

export const questionsIn = (name: string, cwd: string): GoldQuestion[] => {
  let text: string
  try {
    text = readFileSync(placeOf(name, cwd), 'utf8')
  } catch (error) {
    const names = Object.keys(shipped).join(', ')
    throw new UsageError(`${name} can't be read: ${whyUnread(error)}. Included question sets: ${names}.`)
  }
  try {
    return questionsFrom(text)
  } catch (error) {
    throw located(name, error)
  }
}

/** The same table and seed find their sessions again; a different table gets its own folder and budget. */
export const runFolder = (name: string, { table, seed }: LiveBench): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([table, seed]))
    .digest('hex')
    .slice(0, 8)
  return `bench-${basename(name, extname(name))}-${digest}`
}

// view: The tables of `bench` on a terminal.

/** Two digits of a small difference, one of a large one. */
const signed = (share: number): string => signedPoints(share, Math.abs(share) < 0.09995 ? 2 : 1)

/** "+0.43 (+0.08 to +0.77) ✓": the mark says that zero isn't in the interval. */
const difference = ({ difference: value, interval }: Measured['against']['majority']): string => {
  const [from, to] = interval
  const mark = from > 0 ? ' ✓' : to < 0 ? ' ✗' : ''
  return `${signed(value)} (${signed(from)} to ${signed(to)})${mark}`
}

const ruleRow = (rule: Measured): string[] => [
  rule.label,
  `${inPercent(rule.accuracy)} (${inPercent(rule.interval[0])}–${inPercent(rule.interval[1])})`,
  rule.name === 'majority' ? '–' : difference(rule.against.majority),
  rule.name === 'best-seat' || !rule.against.bestSeat ? '–' : signed(rule.against.bestSeat.difference),
]

const viewRuleTable = (replay: Replay, look: Look): string[] => {
  const heads = ['Rule', 'Right, %', 'Against majority, points', 'Best seat']
  const [head = '', ...lines] = grid([heads, ...replay.rules.map(ruleRow)], look)
  return [look.paint.strong(head), ...lines]
}

const share = (value: number | null): string => (value === null ? '–' : inPercent(value))

const gateTable = (replay: Replay, look: Look): string[] => {
  const heads = ['Gate', 'Settled, %', 'Right there', 'Right elsewhere', 'Any seat right elsewhere']
  const rows = replay.gates.map(gate => [
    `≥ ${percent(gate.threshold)}`,
    inPercent(gate.settled),
    share(gate.accuracySettled),
    share(gate.accuracyOpen),
    share(gate.ceilingOpen),
  ])
  const [head = '', ...lines] = grid([heads, ...rows], look)
  return [look.paint.strong(head), ...lines]
}

const seatTableOf = (replay: Replay, look: Look): string[] => {
  const rows = [...replay.alone]
    .sort((one, other) => other.accuracy - one.accuracy)
    .map(({ seat, accuracy }) => [inPercent(accuracy), seat])
  return grid([...rows, [inPercent(replay.anySeatRight), 'any of them']], look)
}

const votesMethod = (replay: Replay): string =>
  `Ranges are 95% intervals from ${wholeNumber(replay.resamples)} paired resamples of the questions; ✓ zero is outside. ` +
  'A tie between two answers counts as half right. ' +
  (replay.labels > 0
    ? `Rules that learn (log-odds, portfolio, best seat) learn from ${replay.labels} questions and are scored on the others, ${replay.draws} times with different labels; you see the mean.`
    : 'Rules that learn are left out, because there are no labels.')

/** For single draws of labels instead of their mean: how often a rule beat the majority. */
const luck = (replay: Replay): string =>
  replay.rules
    .filter(rule => rule.draws)
    .map(
      ({ label, draws }) =>
        `${label} ${inPercent(draws!.lowest)}–${percent(draws!.highest, 1)}, better than the majority in ${percent(draws!.aboveMajority)}`,
    )
    .join('; ')

export const replayLines = (replay: Replay, look: Look): string[] => [
  look.paint.strong(` ${counted(replay.questions, 'question')}, ${counted(replay.seats.length, 'seat')}`),
  ...seatTableOf(replay, look),
  '',
  ...viewRuleTable(replay, look),
  '',
  ...gateTable(replay, look),
  '',
  ...paragraph(votesMethod(replay), 1, look, look.paint.faint),
  ...(replay.labels > 0 ? paragraph(`By draw of labels: ${luck(replay)}.`, 1, look, look.paint.faint) : []),
  ...(replay.sameWhenBothWrong === null
    ? []
    : paragraph(
        `When two seats are both wrong, they give the same answer ${percent(replay.sameWhenBothWrong, 1)} of the time.`,
        1,
        look,
        look.paint.faint,
      )),
]

// benchLive: `bench live`: asks a real table questions with known answers, and compares debates with simpler methods.

interface LiveFlags
  extends Pick<
    AskFlags,
    | 'seats'
    | 'lineup'
    | 'moderator'
    | 'rounds'
    | 'names'
    | 'budget'
    | 'deadline'
    | 'temperature'
    | 'effort'
    | 'letters'
  > {
  readonly protocols: string
  readonly seed: string
  readonly form: string
  readonly carry?: Carry
  readonly dev?: string
  readonly parallel: string
  readonly run?: string
  readonly out?: string
  readonly json?: boolean
  readonly yes?: boolean
}

const codes = {
  complete: exitCodes.done,
  budget: exitCodes.budget,
  interrupted: exitCodes.interrupted,
} as const

const benchFor = async (name: string, flags: LiveFlags, shell: Shell) => {
  const [
    { openReach, resolveAsk },
    { configAt },
    { askInput },
    { askerAt },
    { protocolNamed },
    { booksNamed },
  ] = await Promise.all([
    import('../table/index.ts'),
    import('../terminal/config.ts'),
    import('../terminal/ask-flags.ts'),
    import('../terminal/ask-flags.ts'),
    import('../protocols/index.ts'),
    import('../terminal/archive.ts'),
  ])
  if (flags.out !== undefined && !/\.html?$/i.test(flags.out))
    throw new UsageError(
      `--out ${flags.out}: this writes a page, so the name must end in .html. Use --json for the figures.`,
    )
  const protocols = [...new Set(listFrom(flags.protocols).map(id => protocolNamed(id).id))]
  const questions = questionsIn(name, shell.cwd)
  const { seed: _seed, protocols: _protocols, form: _form, carry: _carry, ...told } = flags
  const config = await configAt(shell)
  const { cwd, clock } = shell
  const wish = askInput(questions[0]!.question.text, told, cwd)
  const reach = await openReach(config, { cwd, clock, ask: wish })
  const { input } = await withArchive(shell, async archive => {
    const letters = wish.letters && (await booksNamed(wish.letters, archive))
    const asked = { ...wish, ...(letters && { letters }) }
    return resolveAsk(asked, 'bench', reach, askerAt(archive, config, shell, flags))
  })
  const { question: _question, protocol: _protocol, budget, signal: _signal, ...table } = input
  const bench = {
    questions,
    table,
    protocols: protocols.filter(id => id !== 'poll'),
    seed: flags.seed,
    parallel: wholeNumberFrom('--parallel', 1)(flags.parallel),
    ...(flags.dev !== undefined && { dev: wholeNumberFrom('--dev', 1)(flags.dev) }),
  }
  return { bench, reach, budget: typeof budget === 'number' ? { usd: budget } : budget }
}

/** What `--form` means: one form or both. */
const formsFor = ({ form, out, letters }: LiveFlags): readonly Form[] => {
  if (letters !== undefined && (out !== undefined || form === 'both'))
    throw new UsageError('--letters compares two runs: leave out --out and --form both, or use --json.')
  if (form === 'both') {
    if (out === undefined) return forms
    throw new UsageError('--out writes a page about one form. Leave it out with --form both, or use --json.')
  }
  const one = forms.find(name => name === form)
  if (one) return [one]
  throw new UsageError(`--form ${form}: use one of ${forms.join(', ')}, both.`)
}

/** Without a form of its own a bench reasons first, so it finds its sessions of earlier versions again. */
const inForm = (bench: LiveBench, form: Form): LiveBench =>
  form === 'answer-first' ? { ...bench, form } : bench

/** With the letters first, then without them. Without `--letters`, once for each form. */
const runsOf = (bench: LiveBench, asked: readonly Form[]): readonly LiveBench[] => {
  const runs = asked.map(form => inForm(bench, form))
  if (!bench.table.given) return runs
  const { letters: _letters, given: _given, ...table } = runs[0]!.table
  return [runs[0]!, { ...runs[0]!, table }]
}

/** With --carry: every question is asked again after its own first session, told of it and not told. */
const runCarry = async (name: string, carry: Carry, flags: LiveFlags, shell: Shell): Promise<number> => {
  if (carry === 'none')
    throw new UsageError('--carry none is what the others are compared with: use camps or verdict.')
  if (flags.out !== undefined) throw new UsageError('--out and --carry cannot be used together.')
  const { bench, reach, budget } = await benchFor(name, flags, shell)
  const [{ carryIn }, { paintFor }] = await Promise.all([
    import('./trials.ts'),
    import('../terminal/terminal.ts'),
  ])
  const folder = flags.run ?? `${runFolder(name, bench)}-carry`
  const found = await carryIn(folder, bench, carry, reach, budget, shell)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(
    flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${carryLines(found, look).join('\n')}\n`,
  )
  if (found.ended !== 'complete') shell.stderr.write(leftWords(found, folder))
  return codes[found.ended]
}

const leftWords = ({ left, ended }: Pick<LiveResult, 'left' | 'ended'>, folder: string): string =>
  `${left} questions are left. Run the same command again${ended === 'budget' ? ' with a larger --budget' : ''} to resume from ${folder}.\n`

const run = async (name: string, flags: LiveFlags, shell: Shell): Promise<number> => {
  if (flags.carry !== undefined) return runCarry(name, flags.carry, flags, shell)
  const asked = formsFor(flags)
  const { bench, reach, budget } = await benchFor(name, flags, shell)
  const runs = runsOf(bench, asked)
  const [{ liveIn }, { paintFor }, { compareForms, compareRuns }] = await Promise.all([
    import('./trials.ts'),
    import('../terminal/terminal.ts'),
    import('./live.ts'),
  ])
  const folder = flags.run ?? runFolder(name, runs[0]!)
  const results: LiveResult[] = []
  // One after the other in one folder, so that one budget covers both. A run that was stopped isn't followed by another.
  for (const one of runs) {
    if (results.some(({ ended }) => ended !== 'complete')) break
    results.push(await liveIn(folder, one, reach, budget, shell))
  }
  const found = results.at(-1)!
  const [first, second] = results
  const byForm = asked.length > 1 && first && second && compareForms(first, second, bench.seed)
  const byLetters = bench.table.given && first && second && compareRuns(first, second, bench.seed)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  const json =
    asked.length > 1
      ? { forms: results, compared: byForm || [] }
      : bench.table.given
        ? { letters: first, none: second ?? null, compared: byLetters ?? [] }
        : found
  const lines = [
    ...results.flatMap(result => [...liveLines(result, look), '']),
    ...(byForm ? formLines(byForm, look) : []),
    ...(byLetters ? letterLines(byLetters, look) : []),
  ]
  shell.stdout.write(flags.json ? `${JSON.stringify(json, null, 2)}\n` : `${lines.join('\n').trimEnd()}\n`)
  if (flags.out !== undefined) writePage(flags.out, { live: found }, shell)
  if (found.ended !== 'complete') shell.stderr.write(leftWords(found, folder))
  return codes[found.ended]
}

const defineBenchLive = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <models>', 'the models at the table')
    .option('--lineup <name>', 'a saved table, by its name')
    .option('--moderator <model>', 'the model that moderates the debates, or "none"')
    .option('--protocols <ids>', 'the protocols to compare', 'poll,hybrid')
    .option('--rounds <count>', 'the most open rounds, 0 to 4')
    .option('--names <how>', "whether seats see each other's names: hidden or shown")
    .option(
      '--budget <cap>',
      'the most that the whole run may cost: 5.00, 2000000tokens, or both with a comma',
    )
    .option('--deadline <seconds>', 'the most seconds for one answer')
    .option('--temperature <number>', 'the temperature of all seats that support one')
    .option('--effort <effort>', 'how long seats think, if they support it')
    .option(
      '--dev <count>',
      "how many questions choose the best seat; these aren't scored (default: a quarter)",
    )
    .option('--parallel <count>', 'how many questions to ask at once', '4')
    .option(
      '--form <order>',
      'whether seats give reasons or answer first: reasoning-first, answer-first, or both to compare them',
      'reasoning-first',
    )
    .option(
      '--letters <books>',
      'also run with these books of letters read first, and compare: ids, "last" or "all", with commas',
    )
    .addOption(
      new Option(
        '--carry <what>',
        'instead: ask every question again after its first session, told of it and not told, and compare',
      ).choices(carries),
    )
    .option('--seed <seed>', 'makes random choices repeatable', '1')
    .option('--run <folder>', 'where to keep the sessions; a run that was stopped resumes from there')
    .option('--yes', 'download the built-in model without asking if no other model is available')
    .option('--out <file>', 'also write a page with plots (.html)')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: LiveFlags) => finish(await run(name, flags, shell)))
}

// benchReplay: `bench replay`: scores every rule on recorded votes or on recorded debates.

interface ReplayFlags {
  readonly seats?: string
  readonly labels?: string
  readonly seed: string
  readonly json?: boolean
  readonly html?: string
}

interface Shown {
  readonly figures: object
  readonly parts: Parts
  lines(look: Look): string[]
}

const shownOf = (recorded: Recorded, flags: ReplayFlags, shell: Shell): Shown => {
  const options = { seed: flags.seed, onProgress: progressOn(shell, 'Replaying') }
  if ('votes' in recorded) {
    const labels = wholeNumberFrom('--labels', 0)(flags.labels ?? '200')
    const found = replay(recorded.votes, { ...options, labels })
    return { figures: found, parts: { replay: found }, lines: look => replayLines(found, look) }
  }
  if (flags.labels !== undefined)
    throw new UsageError('--labels is for files of votes. In debates, rules learn on one half of each file.')
  const found = replayDebates(recorded.debates, options)
  return { figures: found, parts: { debates: found }, lines: look => debateLines(found, look) }
}

const runReplay = (paths: readonly string[], flags: ReplayFlags, shell: Shell): number => {
  const { figures, parts, lines } = shownOf(recordedIn(paths, flags.seats, shell), flags, shell)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(flags.json ? `${JSON.stringify(figures, null, 2)}\n` : `${lines(look).join('\n')}\n`)
  if (flags.html !== undefined) writePage(flags.html, parts, shell)
  return exitCodes.done
}

const defineBenchReplay = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <names>', 'only these models, by name or a part of it: a,b,c')
    .option('--labels <count>', 'votes: how many questions the rules may learn from (default: 200)')
    .option(
      '--seed <seed>',
      'makes random choices repeatable: which questions are learnt from, and the resamples',
      '1',
    )
    .option('--json', 'print JSON')
    .option('--html <file>', 'also write a page with plots')
    .action((paths: string[], flags: ReplayFlags) => finish(runReplay(paths, flags, shell)))
}

// bench: `bench`: measures aggregation rules and tables on questions with known answers.

interface Part {
  readonly usage: string
  readonly summary: string
  readonly define: DefineCommand
}

const parts: readonly Part[] = [
  {
    usage: 'replay <files...>',
    summary:
      'score every rule on recorded votes (CSV: id, gold, one column per model) or debates (columns model@round)',
    define: defineBenchReplay,
  },
  {
    usage: 'live <questions>',
    summary: 'ask a table questions with known answers (JSONL file, or "tricks"), and see if debating helps',
    define: defineBenchLive,
  },
]

export const defineBench = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  for (const { usage, summary, define } of parts)
    define(command.command(usage).description(summary), shell, finish)
}
