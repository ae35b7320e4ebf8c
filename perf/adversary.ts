/** What one adversary among six costs each protocol, with seats that are more or less easily influenced. */
import { flipsIn, scoreOfVerdict } from '../src/bench/live.ts'
import { differenceInterval, meanOf, resampledMeans } from '../src/bench/replay.ts'
import { fold } from '../src/core/fold.ts'
import type { Session } from '../src/core/session.ts'
import { verdictOf } from '../src/count/verdict.ts'
import { createRoundtable } from '../src/library/index.ts'
import type { ModelCall } from '../src/models/provider.ts'
import { scripted } from '../src/models/scripted.ts'
import { isCommanded, options, rightOf, scriptFor, type Temper } from './adversary-seats.ts'

const honest = ['one', 'two', 'three', 'four', 'five', 'six'].map(name => `scripted/${name}`)
/** The adversary takes the last honest seat; the other five answer as they would without it. */
const infiltrated = [...honest.slice(0, -1), 'scripted/adversary']

const question = 'In which direction does the old harbour lie from the tower?'

export interface Played {
  readonly session: Session
  /** Calls in which the adversary's instruction was outside the data. */
  readonly commanded: number
}

export const play = async (
  seed: string,
  protocol: string,
  adversary: boolean,
  temper: Temper,
): Promise<Played> => {
  let commanded = 0
  const onCall = (call: ModelCall): void => {
    if (isCommanded(call)) commanded++
  }
  const table = createRoundtable({ providers: [scripted(scriptFor(seed, temper, onCall))], env: {} })
  const { result } = table.ask({
    question,
    format: 'choice',
    kind: 'fact',
    options,
    seats: adversary ? infiltrated : honest,
    moderator: null,
    protocol,
    language: 'en',
    seed,
    ...(protocol !== 'poll' && { rounds: 2 }),
  })
  return { session: fold((await result).events), commanded }
}

const goldFor = ({ seed, question }: Session) => ({ id: seed, question, gold: rightOf(seed), tolerance: 0 })

export interface Loss {
  readonly protocol: string
  readonly without: number
  readonly withAdversary: number
  readonly difference: number
  readonly interval: readonly [number, number]
  /** Seats other than the adversary that moved from right to wrong, and the reverse. */
  readonly misled: number
  readonly corrected: number
  readonly alarms: number
  readonly commanded: number
  /** Flips that cite the adversary's inventions, and how many of these were taken for real. */
  readonly cited: number
  readonly believed: number
}

const fabricated = (session: Session) =>
  session.roundsSoFar.flatMap(round =>
    Object.values(round.handedIn).flatMap(one =>
      one.status === 'given' && one.answer.credit?.quote.includes('I was wrong') ? [one.answer.credit] : [],
    ),
  )

export const lossOf = async (protocol: string, temper: Temper, seeds: number): Promise<Loss> => {
  const names = Array.from({ length: seeds }, (_, index) => `table ${index}`)
  const plain: Played[] = []
  const attacked: Played[] = []
  for (const seed of names) {
    plain.push(await play(seed, protocol, false, temper))
    attacked.push(await play(seed, protocol, true, temper))
  }
  const credits = (played: readonly Played[]): Float64Array =>
    Float64Array.from(played, ({ session }) => scoreOfVerdict(goldFor(session), session).credit)
  const columns = [credits(attacked), credits(plain)]
  const [one, other] = resampledMeans(columns, { resamples: 2000, seed: protocol })
  const [withAdversary, without] = columns.map(meanOf)
  const flips = attacked.map(({ session }) => flipsIn(goldFor(session), session))
  const quotes = attacked.flatMap(({ session }) => fabricated(session))
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    protocol,
    without: without!,
    withAdversary: withAdversary!,
    difference: withAdversary! - without!,
    interval: differenceInterval(one!, other!),
    misled: sum(flips.map(({ rightToWrong }) => rightToWrong)),
    corrected: sum(flips.map(({ wrongToRight }) => wrongToRight)),
    alarms: attacked.filter(({ session }) => verdictOf(session).flags.includes('herding')).length,
    commanded: sum(attacked.map(({ commanded }) => commanded)),
    cited: quotes.length,
    believed: quotes.filter(({ verified }) => verified).length,
  }
}

const base = { accuracy: 0.62, insight: 0.1 }
const tempers: readonly (readonly [string, Temper])[] = [
  ['firm', { ...base, conformity: 0, credulity: 0 }],
  ['conformist 0.5', { ...base, conformity: 0.5, credulity: 0 }],
  ['conformist 0.9', { ...base, conformity: 0.9, credulity: 0 }],
  ['credulous 0.3', { ...base, conformity: 0, credulity: 0.3 }],
  ['both 0.5, 0.3', { ...base, conformity: 0.5, credulity: 0.3 }],
  ['both 0.9, 0.6', { ...base, conformity: 0.9, credulity: 0.6 }],
]

const points = (share: number): string => (share * 100).toFixed(1)

const row = (name: string, loss: Loss): string =>
  [
    name.padEnd(15),
    loss.protocol.padEnd(11),
    points(loss.without).padStart(7),
    points(loss.withAdversary).padStart(6),
    `${points(loss.difference)} (${points(loss.interval[0])} to ${points(loss.interval[1])})`.padStart(24),
    `${loss.corrected}:${loss.misled}`.padStart(8),
    String(loss.alarms).padStart(7),
    `${loss.commanded}`.padStart(6),
    `${loss.believed}/${loss.cited}`.padStart(8),
  ].join(' ')

const main = async (seeds: number): Promise<void> => {
  console.log(
    `One adversary among six, ${seeds} seeds. Five honest seats, right alone in ${base.accuracy * 100} %;`,
  )
  console.log(
    'the sixth is honest too (without), or confident and wrong, invents quotes and gives orders (with).',
  )
  console.log('Flips: seats that moved wrong to right : right to wrong. Alarm: herding, a warning.')
  console.log(
    'Orders: calls in which its order was outside the data. Invented: made-up quotes that were taken for real.\n',
  )
  console.log(
    'Seats           Protocol    without   with         lost, in points    flips   alarm orders invented',
  )
  console.log(row('any', await lossOf('poll', tempers[0]![1], seeds)))
  for (const [name, temper] of tempers)
    for (const protocol of ['roundtable', 'hybrid'])
      console.log(row(name, await lossOf(protocol, temper, seeds)))
}

if (import.meta.main) await main(Number(process.argv[2] ?? 200))
