/** The tables of `bench` on a terminal. */
import type { Measured, Replay } from '../../bench/replay.ts'
import { counted, inPercent, percent, signedPoints, wholeNumber } from '../../core/wording/numbers.ts'
import { grid } from '../terminal/grid.ts'
import { type Look, paragraph } from '../terminal/look.ts'

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
        `When two seats are both wrong, they give the same answer ${percent(replay.sameWhenBothWrong, 1)} of the time.`,
        1,
        look,
        look.paint.faint,
      )),
]
