/** The tables of `bench` on a terminal. */
import type { Measured, Replay } from '../../bench/replay.ts'
import type { Simulation } from '../../bench/simulation/index.ts'
import { counted, inPercent, percent, signedPoints, wholeNumber } from '../../core/wording/numbers.ts'
import { grid } from '../terminal/grid.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'

/** Two digits of a small difference, one of a large one. */
const signed = (share: number): string => signedPoints(share, Math.abs(share) < 0.09995 ? 2 : 1)

/** "+0.73 (+0.40 to +1.05) ✓": the mark says that zero is not in the interval. */
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

const ruleTable = (replay: Replay, look: Look): string[] => {
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

const seatTable = (replay: Replay, look: Look): string[] => {
  const rows = [...replay.alone]
    .sort((one, other) => other.accuracy - one.accuracy)
    .map(({ seat, accuracy }) => [inPercent(accuracy), seat])
  return grid([...rows, [inPercent(replay.anySeatRight), 'any of them']], look)
}

const method = (replay: Replay): string =>
  `Ranges are 95% intervals from ${wholeNumber(replay.resamples)} paired resamples of the questions; ✓ zero is outside. ` +
  'A tie of two counts as half right. ' +
  (replay.labels > 0
    ? `Rules that learn (log-odds, portfolio, best seat) learn from ${replay.labels} questions and are scored on the others, ${replay.draws} times with other labels; the mean is shown.`
    : 'Without labels, rules that learn from them are left out.')

/** With one draw of labels instead of the mean: how often a rule was above the majority. */
const luck = (replay: Replay): string =>
  replay.rules
    .filter(rule => rule.draws)
    .map(
      ({ label, draws }) =>
        `${label} ${inPercent(draws!.lowest)}–${percent(draws!.highest, 1)}, above the majority in ${percent(draws!.aboveMajority)}`,
    )
    .join('; ')

export const replayLines = (replay: Replay, look: Look): string[] => [
  look.paint.strong(` ${counted(replay.questions, 'question')}, ${counted(replay.seats.length, 'seat')}`),
  ...seatTable(replay, look),
  '',
  ...ruleTable(replay, look),
  '',
  ...gateTable(replay, look),
  '',
  ...paragraph(method(replay), 1, look, look.paint.faint),
  ...(replay.labels > 0 ? paragraph(`By draw of labels: ${luck(replay)}.`, 1, look, look.paint.faint) : []),
  ...(replay.sameWhenBothWrong === null
    ? []
    : paragraph(
        `Two seats that are both wrong say the same in ${percent(replay.sameWhenBothWrong, 1)} of cases.`,
        1,
        look,
        look.paint.faint,
      )),
]

export const simulationLines = (simulation: Simulation, look: Look): string[] => {
  const failed = simulation.checks.filter(check => !check.holds).length
  const source =
    simulation.recorded.length > 0
      ? `open rounds played on recorded votes of ${counted(simulation.recorded.length, 'seat')}`
      : 'all seats simulated'
  return [
    look.paint.strong(` ${counted(simulation.questions, 'question')} for each check, ${source}`),
    ...simulation.checks.flatMap(check => [
      '',
      ...hanging(
        check.holds ? '✓' : '✗',
        check.claim,
        1,
        look,
        check.holds ? look.paint.good : look.paint.bad,
      ),
      ...hanging('found:', check.figure, 3, look, look.paint.strong),
      ...hanging('needed:', check.expected, 3, look, look.paint.faint),
    ]),
    '',
    ` ${counted(simulation.checks.length - failed, 'claim')} hold${failed === 0 ? '' : `, ${failed} ${failed === 1 ? 'does' : 'do'} not`}`,
  ]
}
