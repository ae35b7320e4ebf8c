/** A session as whole pictures, for files, print and previews: the flow and the table. */

import type { Session } from '../core/session.ts'
import {
  absenceOf,
  byCamp,
  type CampNumbers,
  type FlowBlock,
  flowLayout,
  groupsOf,
  numberOf,
  type Ribbon,
  type Standing,
  standingsIn,
} from '../count/moves.ts'
import { agreeing, influenceOf, shownRound, verdictOf } from '../count/verdict.ts'
import {
  campColour,
  campFill,
  campMark,
  type DrawnShape,
  longestLetters,
  rounded,
  shape,
  shortened,
} from './camp-patterns.ts'
import {
  arrowPath,
  columnLabel,
  edgeBefore,
  flowWords,
  levelColour,
  type Place,
  ribbonPath,
  tableLayout,
} from './drawing.ts'

// flow: The position flow as a drawing: how the camps of each round became those of the next, a ribbon for every seat.

/** Seats that changed their mind stand out; the others stay in the background. */
const ribbonShape = (ribbon: Ribbon): DrawnShape => {
  const [from, to] = [numberOf(ribbon.from), numberOf(ribbon.to)]
  const number = to ?? from
  const moved = from !== undefined && to !== undefined && from !== to
  return shape('path', {
    d: ribbonPath(ribbon),
    fill: number === undefined ? 'var(--edge)' : campColour(number),
    opacity: moved ? 0.7 : 0.24,
  })
}

/** Letters of the seats in a block, as many as fit beside it. */
const lettersOf = (session: Session, seats: readonly string[]): string => {
  const letters = seats.map(id =>
    shortened(session.seats.find(seat => seat.id === id)?.alias ?? '?', longestLetters),
  )
  return letters.length > 8 ? `${letters.slice(0, 7).join(' ')} …` : letters.join(' ')
}

const blockShape = (session: Session, { key, x, y, height, seats }: FlowBlock, width: number): DrawnShape => {
  const number = numberOf(key)
  const middle = { x: rounded(x + width / 2), y: rounded(y + height / 2) }
  return shape(
    'g',
    {},
    shape('rect', {
      ...{ x: rounded(x), y: rounded(y), width, height: rounded(Math.max(2, height - 1)), rx: 4 },
      fill: number === undefined ? 'var(--shade)' : campFill(number),
      stroke: number === undefined ? 'var(--edge)' : undefined,
      strokeDasharray: number === undefined ? '3 3' : undefined,
    }),
    ...(height < 14
      ? []
      : [
          shape('circle', { cx: middle.x, cy: middle.y, r: 8, fill: 'var(--surface)' }),
          shape(
            'text',
            {
              x: middle.x,
              y: middle.y + 4,
              textAnchor: 'middle',
              fontSize: 11,
              fontWeight: 700,
              fill: 'var(--ink)',
            },
            number === undefined ? (key === 'silent' ? '✕' : '–') : String(number + 1),
          ),
        ]),
    shape('title', {}, lettersOf(session, seats)),
  )
}

const sides = { left: 70, right: 70, top: 24 }

/** Letters stand left of the first column and right of the last, where no ribbon is. */
const letterTexts = (
  session: Session,
  blocks: readonly FlowBlock[],
  last: number,
  width: number,
): DrawnShape[] =>
  blocks
    .filter(({ column }) => column === 0 || column === last)
    .map(({ column, x, y, height, seats }) =>
      shape(
        'text',
        {
          x: rounded(column === 0 ? x - 8 : x + width + 8),
          y: rounded(y + height / 2 + 4),
          textAnchor: column === 0 ? 'end' : 'start',
          ...{ fontSize: 11, fontWeight: 600, fill: 'var(--ink)' },
        },
        lettersOf(session, seats),
      ),
    )

/** An `<svg>` without a size; undefined if nothing could have moved. */
export const flowDrawing = (session: Session, numbers: CampNumbers): DrawnShape | undefined => {
  const columns = groupsOf(session, numbers)
  if (columns.length < 2) return undefined
  const size = {
    width: Math.max(260, (columns.length - 1) * 170),
    height: Math.min(420, Math.max(120, session.seats.length * 26)),
    ...{ blockWidth: 26, gap: 12 },
  }
  const { blocks, ribbons } = flowLayout(columns, size)
  const step = (size.width - size.blockWidth) / (columns.length - 1)
  return shape(
    'svg',
    {
      viewBox: `${-sides.left} ${-sides.top} ${size.width + sides.left + sides.right} ${size.height + sides.top}`,
      role: 'img',
      'aria-label': `Position flow. ${flowWords(session, columns)}`,
    },
    ...session.roundsSoFar.map((round, index) =>
      shape(
        'text',
        {
          x: rounded(index * step + size.blockWidth / 2),
          ...{ y: -9, textAnchor: 'middle', fontSize: 11.5, fill: 'var(--soft)' },
        },
        columnLabel(session, round),
      ),
    ),
    ...ribbons.map(ribbonShape),
    ...blocks.map(block => blockShape(session, block, size.blockWidth)),
    ...letterTexts(session, blocks, columns.length - 1, size.blockWidth),
  )
}

// palette: The colours of files, which are those of the pages.

/** The colours of the pages' `theme.css`, light and dark, for what is read outside of the pages. */
export const palette = {
  paper: ['#faf8f3', '#171613'],
  surface: ['#fffefb', '#1f1d1a'],
  shade: ['#f2eee5', '#282520'],
  ink: ['#211e19', '#ece8df'],
  soft: ['#5e584e', '#b3ac9f'],
  line: ['#e2dbce', '#39352e'],
  edge: ['#8a8275', '#857d70'],
  accent: ['#8a4a1c', '#e8a878'],
  bad: ['#9d2f26', '#f0a096'],
  'level-unanimous': ['#0e3b2e', '#c9f2df'],
  'level-supermajority': ['#17315c', '#cfe0ff'],
  'level-majority': ['#3f2f73', '#ddd3ff'],
  'level-plurality': ['#5b2a55', '#f5cff0'],
  'level-tie': ['#6e1f3d', '#ffcfdc'],
  'level-split': ['#6f1a12', '#ffc9bf'],
  'level-no-quorum': ['#423e38', '#dad4c8'],
  'camp-0': ['#2b6a9b', '#6fb0e3'],
  'camp-1': ['#c1551a', '#f0975c'],
  'camp-2': ['#49783a', '#92c47f'],
  'camp-3': ['#76529f', '#bd9ce3'],
  'camp-4': ['#94700f', '#dcb653'],
  'camp-5': ['#b0406a', '#ea8fb1'],
  'camp-6': ['#257873', '#68c2bb'],
  'camp-7': ['#6d5f50', '#baa995'],
} as const satisfies Record<string, readonly [string, string]>

export type ColourName = keyof typeof palette

export const colourNames = Object.keys(palette) as readonly ColourName[]

/** `--camp-0: #2b6a9b; …`, for a stylesheet. */
export const paletteCss = (theme: 'light' | 'dark', names: readonly ColourName[]): string =>
  names.map(name => `--${name}: ${palette[name][theme === 'light' ? 0 : 1]}`).join('; ')

// table: The round table as a drawing: who sits where, in which camp, whose words moved whom, and how many agree.

/** A hundred by a hundred, and room for the names around it. */
const withNames = '-12 -4 124 108'
const longestName = 22

/** Drawn 40 by 40 and scaled, so that patterns are as fine as on the pages. */
const seatDisc = (standing: Standing, { x, y }: Place, size: number): DrawnShape => {
  const { seat, number } = standing
  const absence = absenceOf(standing)
  const silent = absence === 'silent' || standing.kept !== undefined
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
      strokeWidth: absence || silent ? 2 : undefined,
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
