/** Camps in colour, pattern and number: never in colour alone. */
import { type DrawnShape, shape } from './shape.ts'

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
