/** What open rounds do: nothing on average if they are neutral; and what gate and trajectory vote save. */
import { estimated, meanOf, usualGate } from '../../src/bench/replay.ts'
import { randomFor } from '../../src/core/basics.ts'
import { majority, trajectory } from '../../src/core/rules.ts'
import { type Bench, type Check, type CheckResult, creditOf, percent, points, type Series } from './check.ts'
import { type Debate, debated } from './debate.ts'
import { questionFrom, realistic, type SimulatedSeat, type SimulatedTable } from './simulated-table.ts'

const context = { options: [] }

export interface SimulatedOutcome {
  readonly sealed: Float64Array
  readonly final: Float64Array
  readonly trajectory: Float64Array
  /** Change in the share of right seats. */
  readonly drift: Float64Array
  readonly toRight: number
  readonly toWrong: number
  readonly opened: number
  readonly alarms: number
}

/** Plays and scores the sealed and open rounds of all questions. */
export const play = (
  table: SimulatedTable,
  debate: Debate,
  { questions, seed, sealed }: Bench,
): SimulatedOutcome => {
  const random = randomFor(seed)
  const column = (): Float64Array => new Float64Array(questions)
  const found = {
    sealed: column(),
    final: column(),
    trajectory: column(),
    drift: column(),
  }
  let [toRight, toWrong, opened, alarms] = [0, 0, 0, 0]
  for (let index = 0; index < questions; index++) {
    const question = sealed ? sealed[index % sealed.length]! : questionFrom(table, random)
    const { gold } = question
    const end = debated({ table, question, debate, random })
    const share = (votes: typeof end.votes): number =>
      votes.filter(vote => vote.value === gold).length / votes.length
    found.sealed[index] = creditOf(majority().decide(question.votes, context), gold)
    found.final[index] = creditOf(majority().decide(end.votes, context), gold)
    found.trajectory[index] = creditOf(trajectory().decide(end.votes, context), gold)
    found.drift[index] = share(end.votes) - share(question.votes)
    toRight += end.flips.filter(flip => flip.to === gold).length
    toWrong += end.flips.filter(flip => flip.from === gold).length
    opened += end.opened ? 1 : 0
    alarms += end.herding ? 1 : 0
  }
  return { ...found, toRight, toWrong, opened: opened / questions, alarms: alarms / questions }
}

/** The seats that debate: those of the recorded votes, or six similar ones. */
const tableFor = ({ sealed }: Bench, traits: Partial<SimulatedSeat>): SimulatedTable => {
  const table = realistic(traits)
  const [first] = sealed ?? []
  return first ? { ...table, seats: first.votes.map(() => ({ accuracy: 0, ...traits })) } : table
}

const persuadable: Partial<SimulatedSeat> = { persuadability: 0.5 }

const martingale = (bench: Bench): Check => {
  const { drift } = play(
    tableFor(bench, persuadable),
    { rounds: 3, tilt: 1 },
    { ...bench, seed: `${bench.seed}/martingale` },
  )
  const { mean, interval } = estimated(drift, bench.seed)
  return {
    id: 'martingale',
    claim: 'Neutral debate is a martingale: the share of right seats does not change on average.',
    expected: '0 within the interval after three rounds',
    figure: `${points(mean)} points (${points(interval[0])} to ${points(interval[1])})`,
    value: mean,
    interval,
    holds: interval[0] <= 0 && interval[1] >= 0,
  }
}

const neutralLoses = (bench: Bench): Check => {
  const { sealed, final } = play(
    tableFor(bench, persuadable),
    { rounds: 3, tilt: 1 },
    { ...bench, seed: `${bench.seed}/martingale` },
  )
  const { mean, interval } = estimated(
    final.map((value, index) => value - sealed[index]!),
    bench.seed,
  )
  return {
    id: 'neutral-vote',
    claim: "The vote after a neutral debate isn't better than the sealed one: seats copy each other.",
    expected: 'not above 0',
    figure: `${points(mean)} points (${points(interval[0])} to ${points(interval[1])})`,
    value: mean,
    interval,
    holds: interval[0] <= 0,
  }
}

const byRound = (bench: Bench): Series => ({
  id: 'rounds',
  title: 'Accuracy of the vote after each open round',
  across: 'open rounds',
  up: 'accuracy, %',
  lines: [
    ['wrong answers argue twice as well', 0.5],
    ['neutral', 1],
    ['right answers argue twice as well', 2],
  ].map(([label, tilt]) => ({
    label: String(label),
    points: [0, 1, 2, 3, 4].map(rounds => {
      const { final } = play(tableFor(bench, persuadable), { rounds, tilt: Number(tilt) }, bench)
      return [rounds, meanOf(final) * 100] as const
    }),
  })),
})

/** The ratio of flips at which the gain of debate crosses zero. */
const evenRatio = (bench: Bench, conformity: number) => {
  const table = tableFor(bench, { persuadability: 0.5, conformity })
  // The gain is small near zero, so finding the crossing needs more questions than the other figures.
  const questions = bench.questions * 3
  const seen = [0.8, 1, 1.15, 1.35, 1.6, 2, 3].map(tilt => {
    const outcome = play(table, { rounds: 2, tilt }, { ...bench, questions, seed: `${bench.seed}/flips` })
    return [outcome.toRight / outcome.toWrong, meanOf(outcome.final) - meanOf(outcome.sealed)] as const
  })
  const crossing = seen.findIndex(([, gain], index) => index > 0 && gain >= 0 && seen[index - 1]![1] < 0)
  const [before, after] = [seen[crossing - 1], seen[crossing]]
  const even =
    before && after ? before[0] + ((after[0] - before[0]) * -before[1]) / (after[1] - before[1]) : Number.NaN
  return { seen, even }
}

const flipRatio = (bench: Bench): CheckResult => {
  const [plain, conformist] = [evenRatio(bench, 0), evenRatio(bench, 0.3)]
  return {
    checks: [
      {
        id: 'flip-ratio',
        claim:
          'Open rounds gain only if wrong→right flips outnumber right→wrong ones, by about 1.4 to 1 on real votes.',
        expected: 'break-even above 1 to 1: equal flips in both directions are a loss',
        figure: `${plain.even.toFixed(2)} to 1; with conformist seats ${conformist.even.toFixed(2)} to 1`,
        value: plain.even,
        holds: plain.even > 1 && conformist.even > 1,
      },
    ],
    series: [
      {
        id: 'flips',
        title: 'Gain of open rounds, by the ratio of flips',
        across: 'wrong→right flips for each right→wrong one',
        up: 'points won over the sealed vote',
        lines: [
          { label: 'persuadable seats', points: plain.seen.map(([ratio, gain]) => [ratio, gain * 100]) },
          { label: 'and conformist', points: conformist.seen.map(([ratio, gain]) => [ratio, gain * 100]) },
        ],
      },
    ],
  }
}

/** The gain of two open rounds with and without the gate. */
const gains = (bench: Bench, tilt: number) => {
  const seeded = { ...bench, seed: `${bench.seed}/gate` }
  const table = tableFor(bench, persuadable)
  const [open, gated] = [{}, { gate: usualGate }].map(gate =>
    play(table, { rounds: 2, tilt, ...gate }, seeded),
  )
  const gain = (outcome: SimulatedOutcome): number => meanOf(outcome.final) - meanOf(outcome.sealed)
  return { open: gain(open!), gated: gain(gated!), spared: 1 - gated!.opened }
}

const gate = (bench: Bench): Check => {
  const [hostile, favourable] = [gains(bench, 0.5), gains(bench, 2)]
  const text = ({ open, gated }: typeof hostile): string => `${points(gated)} instead of ${points(open)}`
  return {
    id: 'gate',
    claim: 'The gate at 0.8 skips most debates, softens a bad one, and keeps some gain of a good one.',
    expected: 'at least half skipped, a smaller loss if hostile, still above 0 if favourable',
    figure: `${percent(hostile.spared, 0)} skipped; hostile ${text(hostile)} points, favourable ${text(favourable)}`,
    value: hostile.gated - hostile.open,
    holds: hostile.spared >= 0.5 && hostile.gated > hostile.open && favourable.gated > 0,
  }
}

/** Adversaries replace seats, so this check always simulates everything. */
const herding = ({ questions, seed }: Bench): Check => {
  const bench = { questions, seed }
  const conformist = realistic({ persuadability: 0.1, conformity: 0.8 })
  const adversary: SimulatedTable = {
    ...conformist,
    seats: conformist.seats.map((seat, place) => (place > 3 ? { accuracy: 0, adversarial: true } : seat)),
  }
  const outcome = play(adversary, { rounds: 2, tilt: 0.5 }, { ...bench, seed: `${bench.seed}/herding` })
  const calm = play(tableFor(bench, persuadable), { rounds: 2, tilt: 2 }, { ...bench, seed: `${seed}/calm` })
  return {
    id: 'herding',
    claim: 'The herding alarm goes off when conformist seats follow others, and seldom in honest debates.',
    expected: 'in at least 5 % of conformist debates, and in less than 1 % of honest ones',
    figure: `conformist debates: ${percent(outcome.alarms)} alarms; honest ones: ${percent(calm.alarms)}`,
    value: outcome.alarms,
    holds: outcome.alarms > 0.05 && calm.alarms < 0.01,
  }
}

const hedge = (bench: Bench): Check => {
  const figures = [0.5, 1, 2].map(tilt => {
    const seed = `${bench.seed}/hedge`
    const outcome = play(tableFor(bench, persuadable), { rounds: 2, tilt }, { ...bench, seed })
    return { final: meanOf(outcome.final), both: meanOf(outcome.trajectory) }
  })
  const [hostile, neutral, favourable] = figures
  const text = figures.map(({ final, both }) => `${(final * 100).toFixed(1)}→${(both * 100).toFixed(1)}`)
  return {
    id: 'trajectory',
    claim:
      'The trajectory vote is a hedge: it saves much in a hostile debate and costs little in a good one.',
    expected: 'gains in hostile and neutral debates more than it costs in favourable ones',
    figure: `hostile ${text[0]}, neutral ${text[1]}, favourable ${text[2]}`,
    value: hostile!.both - hostile!.final,
    holds:
      hostile!.both > hostile!.final &&
      neutral!.both > neutral!.final &&
      hostile!.both - hostile!.final > favourable!.final - favourable!.both,
  }
}

export const openness = (bench: Bench): CheckResult => {
  const ratio = flipRatio(bench)
  return {
    checks: [
      martingale(bench),
      neutralLoses(bench),
      ...ratio.checks,
      gate(bench),
      herding(bench),
      hedge(bench),
    ],
    series: [byRound(bench), ...ratio.series],
  }
}
