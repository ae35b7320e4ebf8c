/** Plots as SVG: read aloud by their title and description, drawn in the page's own colours, without a script. */

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
