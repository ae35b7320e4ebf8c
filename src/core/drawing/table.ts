/** The round table as a drawing: who sits where, in which camp, whose words moved whom, and how many agree. */
import { absenceOf, byCamp, type CampNumbers, type Standing, standingsIn } from '../camps/standings.ts'
import type { Session } from '../log/state.ts'
import { influenceOf } from '../verdict/influence.ts'
import { agreeing, shownRound, verdictOf } from '../verdict/verdict.ts'
import { campColour, campFill, campMark } from './camp-patterns.ts'
import { levelColour } from './level-colour.ts'
import { type DrawnShape, longestLetters, rounded, shape, shortened } from './shape.ts'
import { arrowPath, edgeBefore, type Place, tableLayout } from './table-layout.ts'

/** A hundred by a hundred, and room for the names around it. */
const withNames = '-12 -4 124 108'
const longestName = 22

/** Drawn 40 by 40 and scaled, so that patterns are as fine as on the pages. */
const seatDisc = (standing: Standing, { x, y }: Place, size: number): DrawnShape => {
  const { seat, number } = standing
  const absence = absenceOf(standing)
  const silent = absence === 'silent'
  return shape(
    'g',
    {
      transform: `translate(${rounded(x - size / 2)} ${rounded(y - size / 2)}) scale(${rounded(size / 40)})`,
    },
    // Without the plain colour below, some renderers leave gaps between the tiles of a pattern.
    ...(number === undefined ? [] : [shape('circle', { cx: 20, cy: 20, r: 18.5, fill: campColour(number) })]),
    shape('circle', {
      ...{ cx: 20, cy: 20, r: 18.5 },
      fill: number === undefined ? 'var(--surface)' : campFill(number),
      stroke: silent ? 'var(--bad)' : absence ? 'var(--edge)' : undefined,
      strokeWidth: absence ? 2 : undefined,
      strokeDasharray: silent ? '4 3.2' : undefined,
    }),
    ...(absence ? [] : [shape('circle', { cx: 20, cy: 20, r: 11.5, fill: 'var(--surface)' })]),
    shape(
      'text',
      {
        ...{ x: 20, y: 25, textAnchor: 'middle', fontSize: seat.alias.length > 1 ? 11 : 14, fontWeight: 700 },
        fill: silent ? 'var(--bad)' : 'var(--ink)',
      },
      shortened(seat.alias, longestLetters),
    ),
    ...(number === undefined || size < 8 ? [] : [campMark(number, 35, 35, 15)]),
  )
}

const nameBeside = (name: string, { x, y }: Place, size: number): DrawnShape =>
  shape(
    'text',
    {
      ...{ x, y: y < 45 ? y - size / 2 - 1.8 : y + size / 2 + 4.4, textAnchor: 'middle', fontSize: 3.3 },
      fill: 'var(--soft)',
    },
    shortened(name, longestName),
  )

/** What stands in the middle: "5 of 6", "agree". */
export const countWords = (session: Session): readonly [string, string] => {
  const { agree, of, level } = verdictOf(session)
  if (level === null || !session.outcome) return [String(of), of === 1 ? 'seat' : 'seats']
  if (of === 1) return [`${agree} of 1`, 'answered']
  return agree === 1 && of > 1 ? ['No two', 'agree'] : [`${agree} of ${of}`, 'agree']
}

const arrowhead = shape(
  'marker',
  { id: 'arrow', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 5, markerHeight: 5, orient: 'auto' },
  shape('path', { d: 'M0 0 L8 4 L0 8Z', fill: 'var(--ink)' }),
)

const arrows = (session: Session, points: ReadonlyMap<string, Place>): DrawnShape[] =>
  influenceOf(session).moved.flatMap(({ by, seat, verified }) => {
    const [from, to] = [points.get(by), points.get(seat)]
    if (!from || !to) return []
    return shape('path', {
      ...{ d: arrowPath(from, to), fill: 'none', stroke: 'var(--ink)', strokeWidth: 0.55 },
      strokeDasharray: verified ? undefined : '1.2 1.2',
      ...{ opacity: verified ? 0.75 : 0.5, markerEnd: 'url(#arrow)' },
    })
  })

/** The table in words, for those who don't see it. */
const tableWords = (session: Session, standings: readonly Standing[]): string => {
  const seats = standings.map(({ seat, number }) => {
    const camp = number === undefined ? '' : `, camp ${number + 1}`
    return `${seat.alias} ${seat.name}${camp}`
  })
  return `The table: ${countWords(session).join(' ')}. ${seats.join('; ')}.`
}

/** Who agrees: the table's edge before those seats, in the colour of the level. */
const agreementArc = (session: Session, points: ReadonlyMap<string, Place>, radius: number): DrawnShape[] => {
  const { level } = verdictOf(session)
  const places = agreeing(session).flatMap(seat => points.get(seat) ?? [])
  if (!level || places.length === 0) return []
  return [
    shape('path', {
      ...{ d: edgeBefore(places, points.size, radius), fill: 'none' },
      ...{ stroke: levelColour(level), strokeWidth: 1.1 },
    }),
  ]
}

/** The table after the round that was counted. An `<svg>` without a size: whoever shows it gives it one. */
export const tableDrawing = (session: Session, numbers: CampNumbers): DrawnShape => {
  const seated = standingsIn(session, shownRound(session), numbers)
  const { points, size, radius, named } = tableLayout(seated.length)
  const placed = (named ? seated : byCamp(seated)).map((standing, index) => ({
    standing,
    point: points[index] ?? { x: 50, y: 50 },
  }))
  const byId = new Map(placed.map(({ standing, point }) => [standing.seat.id, point]))
  const [count, what] = countWords(session)
  const edge = { cx: 50, cy: 50, fill: 'var(--surface)', stroke: 'var(--line)', strokeWidth: 0.5 }
  return shape(
    'svg',
    {
      viewBox: named ? withNames : '0 0 100 100',
      role: 'img',
      'aria-label': tableWords(
        session,
        placed.map(({ standing }) => standing),
      ),
    },
    shape('defs', {}, arrowhead),
    shape('circle', { ...edge, r: rounded(radius) }),
    ...agreementArc(session, byId, rounded(radius - 1)),
    ...arrows(session, byId),
    shape(
      'text',
      { x: 50, y: 51, textAnchor: 'middle', fontSize: 8.5, fontWeight: 600, fill: 'var(--ink)' },
      count,
    ),
    shape('text', { x: 50, y: 56, textAnchor: 'middle', fontSize: 3.6, fill: 'var(--soft)' }, what),
    ...placed.map(({ standing, point }) => seatDisc(standing, point, size)),
    ...(named ? placed.map(({ standing, point }) => nameBeside(standing.seat.name, point, size)) : []),
  )
}
