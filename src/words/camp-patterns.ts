/** Camps in colour, pattern and number: never in colour alone. */

// shape: Drawings as plain data: the pages make elements of them, and exports and link previews make text of them. There is one
// drawing of the table and one of the flow, wherever they are shown.

/** An SVG element. Attributes have the names that React uses: `strokeWidth`, `viewBox`. */
export interface DrawnShape {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly (DrawnShape | string)[]
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** An attribute without a value is left out. */
export const shape = (
  tag: string,
  attributes: Attributes,
  ...children: (DrawnShape | string)[]
): DrawnShape => ({
  tag,
  attributes: Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  ),
  children,
})

/** SVG writes these with capital letters, and all others with hyphens. */
const withCapitals = new Set(['viewBox', 'patternUnits', 'markerWidth', 'markerHeight', 'refX', 'refY'])

const svgName = (name: string): string =>
  withCapitals.has(name) || name.startsWith('aria-')
    ? name
    : name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Renderers refuse control characters and what is no character at all, and models write them. */
const printable = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')

/** A drawing as SVG. Text is escaped: names and answers of models are in it. */
export const svgText = ({ tag, attributes, children }: DrawnShape): string => {
  const named = Object.entries(attributes).map(
    ([name, value]) => ` ${svgName(name)}="${escaped(printable(String(value)))}"`,
  )
  const inside = children.map(child =>
    typeof child === 'string' ? escaped(printable(child)) : svgText(child),
  )
  return `<${tag}${named.join('')}>${inside.join('')}</${tag}>`
}

/** Letters and names of an imported session may be long, and a renderer fails on a text that is far wider than its place. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text

/** A table of 200 seats needs two letters. */
export const longestLetters = 4

/** Two decimals: more would only make files longer. */
export const rounded = (value: number): number => Math.round(value * 100) / 100

const colours = 8
/** Strokes over the camp's colour, in a tile of 8 by 8; the first camp is plain. */
const strokes = [
  '',
  'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  'M2 2 h.01 M6 6 h.01',
  'M0 2 H8 M0 6 H8',
  'M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2',
  'M2 0 V8 M6 0 V8',
  'M0 4 H8 M4 0 V8',
] as const
const dots = 2

/** How many camps can be told apart by colour and pattern. */
export const distinctCamps = colours * strokes.length

export const campColour = (index: number): string => `var(--camp-${index % colours})`

/** What to fill a shape of this camp with. */
export const campFill = (index: number): string => `url(#camp-${index % distinctCamps})`

/** The patterns, once for the document; every drawing refers to them. */
export const campPatterns = (count: number): DrawnShape =>
  shape(
    'defs',
    {},
    ...Array.from({ length: Math.min(count, distinctCamps) }, (_, index) => {
      const kind = index % strokes.length
      return shape(
        'pattern',
        { id: `camp-${index}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
        shape('rect', { width: 8, height: 8, fill: campColour(index) }),
        shape('path', {
          d: strokes[kind],
          stroke: 'var(--surface)',
          strokeOpacity: 0.55,
          strokeWidth: kind === dots ? 2.6 : 1.6,
          strokeLinecap: kind === dots ? 'round' : 'butt',
          fill: 'none',
        }),
      )
    }),
  )

/** A camp's number on its pattern, 20 by 20, with its middle at a point. */
export const campMark = (index: number, x: number, y: number, size: number): DrawnShape => {
  const scale = size / 20
  return shape(
    'g',
    { transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})` },
    ...[campColour(index), campFill(index)].map(fill =>
      shape('rect', { x: 1, y: 1, width: 18, height: 18, rx: 5, fill }),
    ),
    shape('circle', { cx: 10, cy: 10, r: 6.2, fill: 'var(--surface)' }),
    shape(
      'text',
      { x: 10, y: 13.4, textAnchor: 'middle', fontSize: 9.5, fontWeight: 700, fill: 'var(--ink)' },
      String(index + 1),
    ),
  )
}
