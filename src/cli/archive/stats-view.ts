/** Track records as tables that fit into a terminal. */
import type { Score } from '../../core/aggregation/log-odds.ts'
import type { CalibrationBin, ModelRecord, TrackRecord } from '../../core/track-record/index.ts'
import { duration } from '../../core/wording/durations.ts'
import { dollars } from '../../core/wording/money.ts'
import { counted, percent } from '../../core/wording/numbers.ts'
import { cut, oneLine, padEnd, padStart, widthOf } from '../terminal/cells.ts'
import { type Look, paragraph, room, rule } from '../terminal/look.ts'
import { programName } from '../terminal/program-name.ts'

interface Column {
  readonly head: string
  readonly cell: (model: ModelRecord) => string
}

const share = (part: number, of: number): string => (of === 0 ? '–' : percent(part / of))
const accuracy = ({ right, of }: Score): string => (of === 0 ? '–' : `${percent(right / of)}/${of}`)

const columns: readonly Column[] = [
  { head: 'sealed', cell: ({ sealed }) => accuracy(sealed) },
  { head: 'final', cell: ({ final }) => accuracy(final) },
  { head: 'Brier', cell: ({ brier }) => (brier === null ? '–' : brier.toFixed(2)) },
  { head: '✓→✗', cell: ({ rightToWrong }) => String(rightToWrong) },
  { head: '✗→✓', cell: ({ wrongToRight }) => String(wrongToRight) },
  { head: 'pull', cell: ({ persuasion }) => share(persuasion.adopters, persuasion.exposures) },
  { head: 'stays', cell: ({ stubbornness }) => share(stubbornness.stayed, stubbornness.opposed) },
  { head: 'cost', cell: ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd)) },
  { head: 'time', cell: ({ latency }) => (latency === null ? '–' : duration(latency)) },
]

/** Names on the left, figures on the right. Names are cut so that the row fits. */
const tableOf = (
  names: readonly string[],
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  look: Look,
): string[] => {
  const widths = heads.map((head, index) =>
    Math.max(widthOf(head), ...rows.map(row => widthOf(row[index] ?? ''))),
  )
  const figures = widths.reduce((sum, width) => sum + width + 1, 0)
  const longest = Math.max(...names.map(name => widthOf(oneLine(name))))
  const name = Math.max(8, Math.min(longest, room(look) - figures - 1))
  const line = (first: string, cells: readonly string[]): string =>
    ` ${padEnd(cut(oneLine(first), name), name)}${cells.map((cell, index) => ` ${padStart(cell, widths[index]!)}`).join('')}`
  return [look.paint.faint(line('', heads)), ...rows.map((row, index) => line(names[index]!, row))]
}

const letter = (index: number): string => String.fromCharCode(97 + index)
/** More would not fit, and there are only 26 letters. */
const mostInMatrix = 12

const agreementLines = ({ models, agreement }: TrackRecord, look: Look): string[] => {
  const shown = models
    .filter(({ model }) => agreement.some(({ one, other }) => one === model || other === model))
    .slice(0, mostInMatrix)
  if (shown.length < 2) return []
  const cell = (first: string, second: string): string => {
    const [one, other] = [first, second].sort()
    const found = agreement.find(pair => pair.one === one && pair.other === other)
    return found ? percent(found.same / found.of) : '·'
  }
  const rows = shown.map(({ model }, index) => shown.slice(0, index).map(other => cell(model, other.model)))
  const names = shown.map(({ name }, index) => `${letter(index)} ${name}`)
  return [
    rule('Same sealed answer', look),
    ...tableOf(
      names,
      shown.slice(0, -1).map((_, index) => letter(index)),
      rows,
      look,
    ),
    '',
  ]
}

const steps = [0, 0.2, 0.4, 0.6, 0.8]

const calibrationLines = ({ models }: TrackRecord, look: Look): string[] => {
  const shown = models.filter(({ calibration }) => calibration.length > 0)
  if (shown.length === 0) return []
  const cell = (bin: CalibrationBin | undefined): string => (bin ? `${percent(bin.right)}/${bin.count}` : '·')
  return [
    rule('How often right, by sealed confidence', look),
    ...tableOf(
      shown.map(({ name }) => name),
      steps.map(step => `${step * 100}–${Math.round((step + 0.2) * 100)}%`),
      shown.map(({ calibration }) =>
        steps.map(step => cell(calibration.find(({ from }) => Math.abs(from - step) < 1e-9))),
      ),
      look,
    ),
    '',
  ]
}

const legend =
  'sealed, final: how often it was right, and of how many answers. ✓→✗, ✗→✓: how often it changed its mind from right to wrong, and from wrong to right. pull: how many of its readers changed to its position. stays: how often it held out against the leading camp. cost: of all its answers. time: median per answer.'

export const statsView = (record: TrackRecord, look: Look): string[] => {
  if (record.models.length === 0)
    return [
      ` No track record yet. Ask something, then tell the right answer with \`${programName()} resolve\`.`,
    ]
  const head = `${counted(record.sessions, 'session')}, ${record.resolved} resolved`
  return [
    rule(`Track record · ${head}`, look),
    ...tableOf(
      record.models.map(({ name }) => name),
      columns.map(column => column.head),
      record.models.map(model => columns.map(column => column.cell(model))),
      look,
    ),
    '',
    ...calibrationLines(record, look),
    ...agreementLines(record, look),
    ...paragraph(legend, 1, look, look.paint.faint),
    ...(record.resolved === 0
      ? paragraph(
          `No session is resolved yet. Use: ${programName()} resolve last "the right answer"`,
          1,
          look,
        )
      : []),
  ]
}
