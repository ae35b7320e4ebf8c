/** Plots as SVG: read aloud by their title and description, drawn in the page's own colours, without a script. */
import { counted, dollars, inPercent, percent, signedPoints, wholeNumber } from '../core/basics.ts'
import { levelWords } from '../count/tally.ts'
import type { DebateReplay, PoolFigures, RuleFigures, SetFigures } from './debates.ts'
import { type AnswerMethod, type LiveFigures, type Spent, sealedName } from './live.ts'
import type { Measured, Replay } from './replay.ts'

export const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.codePointAt(0)};`)

export const width = 640
export const fixed = (value: number): string => String(Number(value.toFixed(2)))

interface Range {
  readonly low: number
  readonly high: number
}

/** A round step so that about five marks fit. */
const stepFor = ({ low, high }: Range): number => {
  const rough = (high - low) / 5 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough)!
}

const marksIn = (range: Range): number[] => {
  const step = stepFor(range)
  const first = Math.ceil(range.low / step - 1e-9)
  const count = Math.floor(range.high / step + 1e-9) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  )
}

export const rangeOf = (values: readonly number[]): Range => {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const margin = (high - low || 1) * 0.06
  return { low: low - margin, high: high + margin }
}

export const scale = (range: Range, from: number, to: number) => (value: number) =>
  from + ((value - range.low) / (range.high - range.low)) * (to - from)

export const figure = (
  id: string,
  title: string,
  description: string,
  height: number,
  body: string,
): string =>
  `<figure><div class="scroll"><svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">` +
  `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-text">${escaped(description)}</desc>${body}</svg></div>` +
  `<figcaption>${escaped(title)}</figcaption></figure>`

/** Room for names on the left; a very long one may take half of the plot, and is cut off by its edge. */
export const leftFor = (names: readonly string[]): number =>
  Math.min(width / 2, Math.max(190, 20 + 7 * Math.max(...names.map(name => name.length))))

/** Lines down to the marks of the scale. */
export const gridOf = (
  range: Range,
  x: (value: number) => number,
  bottom: number,
  text: (mark: number) => string = String,
): string =>
  marksIn(range)
    .map(
      mark =>
        `<line class="grid" x1="${fixed(x(mark))}" x2="${fixed(x(mark))}" y1="8" y2="${bottom}"/>` +
        `<text class="mark" x="${fixed(x(mark))}" y="${bottom + 18}" text-anchor="middle">${text(mark)}</text>`,
    )
    .join('')

export interface Bar {
  readonly label: string
  readonly value: number
  readonly interval: readonly [number, number]
}

/** A dot and its interval for each row; `zero` draws a line to compare with. */
export const intervalPlot = (id: string, title: string, rows: readonly Bar[], zero?: number): string => {
  const left = leftFor(rows.map(({ label }) => label))
  const range = rangeOf([
    ...rows.flatMap(row => [row.value, ...row.interval]),
    ...(zero === undefined ? [] : [zero]),
  ])
  const x = scale(range, left, width - 20)
  const bottom = 14 + rows.length * 30
  const lines = rows.map((row, index) => {
    const y = 22 + index * 30
    const [from, to] = row.interval.map(value => fixed(x(value)))
    return (
      `<text class="name" x="${left - 14}" y="${y + 4}" text-anchor="end">${escaped(row.label)}</text>` +
      `<line class="range" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>` +
      `<circle class="dot" cx="${fixed(x(row.value))}" cy="${y}" r="5"/>`
    )
  })
  const base =
    zero === undefined
      ? ''
      : `<line class="base" x1="${fixed(x(zero))}" x2="${fixed(x(zero))}" y1="8" y2="${bottom}"/>`
  const words = rows
    .map(
      row => `${row.label}: ${fixed(row.value)}, from ${fixed(row.interval[0])} to ${fixed(row.interval[1])}`,
    )
    .join('; ')
  return figure(id, title, words, bottom + 28, gridOf(range, x, bottom) + base + lines.join(''))
}

// debatePlots: Plots of recorded debates: how right each round was, and where changes of mind went.

const rowHeight = 22
const yOf = (index: number): number => 20 + index * rowHeight

const nameOf = (name: string, left: number, index: number): string =>
  `<text class="name" x="${left - 14}" y="${yOf(index) + 4}" text-anchor="end">${escaped(name)}</text>`

/** A row for each set: an empty dot for the sealed round, a full one for the last, smaller ones between. */
export const roundPlot = (id: string, title: string, sets: readonly SetFigures[]): string => {
  const left = leftFor(sets.map(({ name }) => name))
  const range = rangeOf(sets.flatMap(({ byRound }) => byRound.map(share => share * 100)))
  const x = scale(range, left, width - 20)
  const bottom = yOf(sets.length) - 8
  const rows = sets.map(({ name, byRound }, index) => {
    const places = byRound.map(share => fixed(x(share * 100)))
    const between = places
      .slice(1, -1)
      .map(cx => `<circle class="dot" cx="${cx}" cy="${yOf(index)}" r="2.5"/>`)
    return [
      nameOf(name, left, index),
      `<polyline class="path" points="${places.map(cx => `${cx},${yOf(index)}`).join(' ')}"/>`,
      ...between,
      `<circle class="dot" cx="${places.at(-1)}" cy="${yOf(index)}" r="5"/>`,
      ...(places.length > 1 ? [`<circle class="start" cx="${places[0]}" cy="${yOf(index)}" r="4"/>`] : []),
    ].join('')
  })
  const words = sets.map(
    ({ name, byRound }) => `${name}: ${byRound.map(share => fixed(share * 100)).join(', then ')}`,
  )
  return figure(id, title, words.join('; '), bottom + 28, gridOf(range, x, bottom) + rows.join(''))
}

/** Bars to both sides of a line: what changes of mind lost, and what they won. */
export const flipPlot = (id: string, title: string, sets: readonly SetFigures[]): string => {
  const left = leftFor(sets.map(({ name }) => name))
  const range = rangeOf([0, ...sets.flatMap(({ flips }) => [flips.better, -flips.worse])])
  const x = scale(range, left, width - 20)
  const bottom = yOf(sets.length) - 8
  const bar = (from: number, to: number, index: number, name: string): string =>
    `<rect class="${name}" x="${fixed(x(from))}" y="${yOf(index) - 6}" width="${fixed(x(to) - x(from))}" height="12"/>`
  const rows = sets.map(
    ({ name, flips }, index) =>
      nameOf(name, left, index) + bar(-flips.worse, 0, index, 'lost') + bar(0, flips.better, index, 'won'),
  )
  const words = sets.map(
    ({ name, flips }) =>
      `${name}: ${flips.better} wrong to right, ${flips.worse} right to wrong, ${flips.other} to another wrong answer`,
  )
  return figure(
    id,
    title,
    words.join('; '),
    bottom + 28,
    gridOf(range, x, bottom, mark => String(Math.abs(mark))) + rows.join(''),
  )
}

// table: A table of figures.

/** Rows under heads; every column but the first holds numbers. */
export const tableOf = (
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string => {
  const head = heads.map(
    (text, index) => `<th scope="col"${index > 0 ? ' class="number"' : ''}>${escaped(text)}</th>`,
  )
  const body = rows.map(([first = '', ...cells]) => {
    const rest = cells.map(cell => `<td class="number">${escaped(cell)}</td>`)
    return `<tr><th scope="row">${escaped(first)}</th>${rest.join('')}</tr>`
  })
  return `<div class="scroll"><table><caption>${escaped(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

// debates: Recorded debates on the page of figures.

const barOf = ({ name, againstLast }: RuleFigures) => ({
  label: name,
  value: againstLast.mean * 100,
  interval: [againstLast.low * 100, againstLast.high * 100] as const,
})

const differencePlot = (id: string, title: string, { rules }: Pick<PoolFigures, 'rules'>): string =>
  intervalPlot(id, title, rules.filter(rule => rule.name !== 'last').map(barOf), 0)

const range = ({ low, high }: RuleFigures['againstLast'], digits = 2): string =>
  `${signedPoints(low, digits)} to ${signedPoints(high, digits)}`

const ruleRow = (rule: RuleFigures): string[] => [
  rule.name,
  inPercent(rule.accuracy),
  signedPoints(rule.againstLast.mean, 2),
  range(rule.againstLast),
  String(rule.ties),
  String(rule.tiesMade),
  ...(rule.brier === undefined ? [] : [rule.brier.toFixed(4)]),
]

const ruleTable = (caption: string, rules: readonly RuleFigures[]): string =>
  tableOf(
    caption,
    [
      'Rule',
      'Right, %',
      'Against last',
      '95%',
      'Ties',
      'Ties made',
      ...(rules[0]?.brier === undefined ? [] : ['Brier']),
    ],
    rules.map(ruleRow),
  )

const setRow = ({ name, sessions, seats, byRound, flips, overturned }: SetFigures): string[] => [
  name,
  String(sessions),
  String(seats),
  byRound.map(share => inPercent(share)).join(' '),
  `${flips.better} : ${flips.worse} : ${flips.other}`,
  `${overturned.better} : ${overturned.worse} : ${overturned.other}`,
]

const poolPart = (id: string, title: string, pool: PoolFigures): string[] => [
  differencePlot(id, `${title}: points won or lost against the last vote`, pool),
  ruleTable(`${title}: intervals from resampled ${pool.resampled}`, pool.rules),
  ...(pool.splits.length > 0 ? [splitTable(title, pool)] : []),
]

const splitTable = (title: string, { splits }: PoolFigures): string =>
  tableOf(
    `${title}: how often tables were right, by how their sealed vote was divided`,
    ['Sealed vote', 'Sessions', 'Sealed right, %', 'Last right, %', '95%'],
    splits.map(({ level, sessions, sealed, last }) => [
      levelWords[level],
      String(sessions),
      inPercent(sealed),
      inPercent(last.mean),
      `${inPercent(last.low)} to ${inPercent(last.high)}`,
    ]),
  )

const choicePart = ({ choice }: DebateReplay): string[] => {
  if (!choice) return []
  return [
    `<p>By the criterion of decision 28, these sets choose <strong>${escaped(choice.rule)}</strong>. A choice is only worth what it gains on debates that it wasn’t made on:</p>`,
    tableOf(
      'Chosen on all other sources, scored on the one named',
      ['Source', 'Rule', 'Against last', '95%'],
      choice.heldOut.map(({ source, rule, againstLast }) => [
        source,
        rule,
        signedPoints(againstLast.mean, 2),
        range(againstLast),
      ]),
    ),
    tableOf(
      'Rules that the criterion leaves out',
      ['Rule', 'Reason'],
      choice.excluded.map(({ rule, reason }) => [rule, reason]),
    ),
  ]
}

export const debatesSection = (replay: DebateReplay): string => {
  const { sets, sources, pooled, probabilities } = replay
  const sessions = sets.reduce((sum, set) => sum + set.sessions, 0)
  return [
    '<section aria-labelledby="debates"><h2 id="debates">Recorded debates</h2>',
    `<p>${counted(sessions, 'session')} in ${counted(sets.length, 'set')}. ${escaped(replay.parts)} `,
    'A tie between two answers counts as half right. A probability is right if it is on the right side of 50 %.</p>',
    roundPlot(
      'by-round',
      'How often the vote of each round is right, %: empty dot sealed, full dot last',
      sets,
    ),
    flipPlot('flips', 'Changes of mind: right to wrong (left), wrong to right (right)', sets),
    ...poolPart('pooled', `All sets of ${pooled.kind}`, pooled),
    ...(probabilities ? poolPart('probabilities', 'All sets of probabilities', probabilities) : []),
    ...choicePart(replay),
    tableOf(
      'Sets',
      ['Set', 'Sessions', 'Seats', 'Right by round, %', 'Flips', 'Overturned'],
      sets.map(setRow),
    ),
    '<h2 id="sources">By source</h2>',
    ...sources.flatMap((source, index) => [
      differencePlot(`source-${index}`, `${source.name}: points against the last vote`, source),
      ruleTable(`${source.name}: ${counted(source.sessions, 'session')}`, source.rules),
    ]),
    '</section>',
  ].join('\n')
}

// live: The live bench's part of the page.

/** The parts of a run that the page shows. */
export interface LivePart extends LiveFigures {
  readonly seats: readonly string[]
  readonly best: { readonly name: string; readonly right: number; readonly of: number } | null
  readonly spent: Spent
  readonly left: number
  readonly seed: string
}

const hundredfold = ([from, to]: readonly [number, number]): [number, number] => [from * 100, to * 100]
const money = (usd: number | null): string => (usd === null ? 'unknown' : usd.toFixed(4))

const wayRow =
  (questions: number) =>
  (way: AnswerMethod): string[] => [
    way.label,
    inPercent(way.accuracy),
    `${inPercent(way.interval[0])} to ${inPercent(way.interval[1])}`,
    String(way.ties),
    wholeNumber(Math.round(way.tokens / questions)),
    money(way.costUsd === null ? null : way.costUsd / questions),
    way.samples === undefined ? '–' : way.samples.toFixed(1),
  ]

const flipRow = ({ label, flips }: AnswerMethod): string[][] =>
  flips
    ? [
        [
          label,
          String(flips.wrongToRight),
          String(flips.rightToWrong),
          flips.ratio === null ? '–' : flips.ratio.toFixed(2),
        ],
      ]
    : []

const comparisons = (ways: readonly AnswerMethod[]) =>
  ways.flatMap(way =>
    way.against.map(one => ({
      label: `${way.label} − ${one.with === sealedName ? 'sealed' : 'equal tokens'}`,
      ...one,
    })),
  )

const figuresOf = ({ ways, questions }: LivePart): string[] => {
  const compared = comparisons(ways)
  const accuracies = ways.map(way => ({
    label: way.label,
    value: way.accuracy * 100,
    interval: hundredfold(way.interval),
  }))
  const differences = compared.map(({ label, difference, interval }) => ({
    label,
    value: difference * 100,
    interval: hundredfold(interval),
  }))
  return [
    intervalPlot('live-accuracy', 'How often each method is right, %', accuracies),
    intervalPlot('live-difference', 'Points won or lost against each baseline', differences, 0),
    tableOf(
      'Every method; tokens and dollars per question',
      ['Method', 'Right, %', '95%', 'Ties', 'Tokens', 'Dollars', 'Samples'],
      ways.map(wayRow(questions)),
    ),
    tableOf(
      "Paired differences, with McNemar's exact test",
      ['Method', 'Points', '95%', 'Only this right', 'Only the other right', 'p'],
      compared.map(({ label, difference, interval, won, lost, p }) => [
        label,
        inPercent(difference),
        `${inPercent(interval[0])} to ${inPercent(interval[1])}`,
        String(won),
        String(lost),
        p < 0.001 ? '<0.001' : p.toFixed(3),
      ]),
    ),
    tableOf(
      'Seats that changed, from the sealed answer to the last one',
      ['Protocol', 'Wrong to right', 'Right to wrong', 'Ratio'],
      ways.flatMap(flipRow),
    ),
  ]
}

export const liveSection = (live: LivePart): string => {
  const { questions, seats, best, spent, left, alone, anySeatRight } = live
  const rows = [
    ...alone.map(one => [one.seat, inPercent(one.accuracy)]),
    ['any of them', inPercent(anySeatRight)],
  ]
  const unfinished = left > 0 ? ` ${left} more weren't asked.` : ''
  const picked = best ? ` The best seat, ${best.name}, was chosen on ${best.of} other questions.` : ''
  return [
    '<section aria-labelledby="live"><h2 id="live">Live questions</h2>',
    `<p>${counted(questions, 'question')} scored, ${seats.length} seats: ${escaped(seats.join(', '))}.${unfinished}${escaped(picked)} `,
    `Spent in total: ${counted(spent.tokens, 'token')}, ${spent.costUsd === null ? 'cost unknown' : dollars(spent.costUsd)}. `,
    'Every debate starts from the same sealed answers. A tie between two answers counts as half right. Equal tokens: the ',
    'best seat answers as often as the same tokens allow, and its answers vote (self-consistency).</p>',
    ...(questions > 0 ? figuresOf(live) : []),
    tableOf('Each seat alone, sealed', ['Seat', 'Right, %'], rows),
    '</section>',
  ].join('\n')
}

/** The look of the page: one column, light or dark as the reader's system is. */
export const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca; --accent: #7a3e12 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
body > * { max-width: 48rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-top: 2.5rem } footer { padding-block: 2rem 4rem; color: var(--soft); font-size: .85rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2.5rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4 }
caption { text-align: start; color: var(--soft); padding-bottom: .5rem }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
tbody th { min-width: 7rem; overflow-wrap: break-word }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 1.5rem 0 } svg { width: 100%; height: auto; display: block } figcaption { color: var(--soft); font-size: .85rem }
figure svg { min-width: 34rem }
svg text { fill: var(--ink); font-size: 13px } svg .mark { fill: var(--soft); font-size: 12px }
.grid { stroke: var(--line) } .base { stroke: var(--soft); stroke-dasharray: 4 3 }
.range { stroke: var(--accent); stroke-width: 2.5 } .dot { fill: var(--accent) }
svg .path { fill: none; stroke: var(--line); stroke-width: 2 } .start { fill: var(--paper); stroke: var(--accent); stroke-width: 2 }
.won { fill: var(--accent) } .lost { fill: var(--soft) }
thead th { white-space: nowrap } .scroll { margin-block: 1.5rem } figure .scroll { margin-block: 0 .5rem }
`.trim()

// page: The figures as one static page: no script, nothing to load, readable offline and on paper.

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const figureOnPage = (share: number | null): string => (share === null ? '–' : inPercent(share))
const percentOnPage = (interval: readonly [number, number]): [number, number] => [
  interval[0] * 100,
  interval[1] * 100,
]

const rangeOnPage = ([from, to]: readonly [number, number], digits: number): string =>
  `${inPercent(from, digits)} to ${inPercent(to, digits)}`

const ruleRowOnPage = (rule: Measured): string[] => [
  rule.label,
  figureOnPage(rule.accuracy),
  rangeOnPage(rule.interval, 1),
  inPercent(rule.against.majority.difference, 2),
  rangeOnPage(rule.against.majority.interval, 2),
]

const replaySection = (replay: Replay): string => {
  const accuracies = replay.rules.map(rule => ({
    label: rule.label,
    value: rule.accuracy * 100,
    interval: percentOnPage(rule.interval),
  }))
  const differences = replay.rules
    .filter(rule => rule.name !== 'majority')
    .map(rule => ({
      label: rule.label,
      value: rule.against.majority.difference * 100,
      interval: percentOnPage(rule.against.majority.interval),
    }))
  const gates = replay.gates.map(gate => [
    `at least ${percent(gate.threshold)}`,
    ...[gate.settled, gate.accuracySettled, gate.accuracyOpen, gate.ceilingOpen].map(figureOnPage),
  ])
  const heads = ['Rule', 'Right, %', '95%', 'Against majority', '95%']
  return [
    '<section aria-labelledby="replay"><h2 id="replay">Recorded votes</h2>',
    `<p>${counted(replay.questions, 'question')}, ${replay.seats.length} seats: ${escaped(replay.seats.join(', '))}. `,
    `Rules that learn got ${replay.labels} answers and were scored on the other questions, ${replay.draws} times with different labels. `,
    'Intervals come from paired resamples of the questions. A tie between two answers counts as half right.</p>',
    intervalPlot('accuracy', 'How often each rule is right, %', accuracies),
    intervalPlot('difference', 'Points won or lost against the plain majority', differences, 0),
    tableOf('Every rule that works on recorded votes', heads, replay.rules.map(ruleRowOnPage)),
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
