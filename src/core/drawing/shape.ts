/**
 * Drawings as plain data: the pages make elements of them, and exports and link previews make text of them. There is one
 * drawing of the table and one of the flow, wherever they are shown.
 */

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
