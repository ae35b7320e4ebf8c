/** The figures as one static page: no script, nothing to load, readable offline and on paper. */
import { counted, inPercent, percent } from '../../core/wording/numbers.ts'
import type { DebateReplay } from '../debates/replay.ts'
import type { Measured, Replay } from '../replay.ts'
import { debatesSection } from './debates.ts'
import { type LivePart, liveSection } from './live.ts'
import { escaped, intervalPlot } from './plot.ts'
import { style } from './style.ts'
import { tableOf } from './table.ts'

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const figure = (share: number | null): string => (share === null ? '–' : inPercent(share))
const hundredfold = (interval: readonly [number, number]): [number, number] => [
  interval[0] * 100,
  interval[1] * 100,
]

const range = ([from, to]: readonly [number, number], digits: number): string =>
  `${inPercent(from, digits)} to ${inPercent(to, digits)}`

const ruleRow = (rule: Measured): string[] => [
  rule.label,
  figure(rule.accuracy),
  range(rule.interval, 1),
  inPercent(rule.against.majority.difference, 2),
  range(rule.against.majority.interval, 2),
]

const replaySection = (replay: Replay): string => {
  const accuracies = replay.rules.map(rule => ({
    label: rule.label,
    value: rule.accuracy * 100,
    interval: hundredfold(rule.interval),
  }))
  const differences = replay.rules
    .filter(rule => rule.name !== 'majority')
    .map(rule => ({
      label: rule.label,
      value: rule.against.majority.difference * 100,
      interval: hundredfold(rule.against.majority.interval),
    }))
  const gates = replay.gates.map(gate => [
    `at least ${percent(gate.threshold)}`,
    ...[gate.settled, gate.accuracySettled, gate.accuracyOpen, gate.ceilingOpen].map(figure),
  ])
  const heads = ['Rule', 'Right, %', '95%', 'Against majority', '95%']
  return [
    '<section aria-labelledby="replay"><h2 id="replay">Recorded votes</h2>',
    `<p>${counted(replay.questions, 'question')}, ${replay.seats.length} seats: ${escaped(replay.seats.join(', '))}. `,
    `Rules that learn got ${replay.labels} answers and were scored on the other questions, ${replay.draws} times with different labels. `,
    'Intervals come from paired resamples of the questions. A tie between two answers counts as half right.</p>',
    intervalPlot('accuracy', 'How often each rule is right, %', accuracies),
    intervalPlot('difference', 'Points won or lost against the plain majority', differences, 0),
    tableOf('Every rule that works on recorded votes', heads, replay.rules.map(ruleRow)),
    tableOf(
      'Gates: what the sealed vote settles, and what remains open',
      ['Support', 'Settled, %', 'Right there', 'Right elsewhere', 'Any seat right elsewhere'],
      gates,
    ),
    '</section>',
  ].join('\n')
}

export interface Parts {
  readonly replay?: Replay
  readonly debates?: DebateReplay
  readonly live?: LivePart
}

export const pageOf = (parts: Parts): string => {
  const sections = [
    ...(parts.replay ? [replaySection(parts.replay)] : []),
    ...(parts.debates ? [debatesSection(parts.debates)] : []),
    ...(parts.live ? [liveSection(parts.live)] : []),
  ]
  const seed = parts.replay?.seed ?? parts.debates?.seed ?? parts.live?.seed ?? ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Measured · Roundtable</title>
<style>
${style}
</style>
</head>
<body>
<header><h1>What was measured</h1></header>
<main>
${sections.join('\n')}
</main>
<footer><p>Roundtable bench, seed ${escaped(seed)}. The same seed and ${parts.live ? 'answers' : 'votes'} give the same page.</p></footer>
</body>
</html>
`
}
