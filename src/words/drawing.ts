/** The position flow as a drawing: how the camps of each round became those of the next, a ribbon for every seat. */
import type { Round, Session } from '../core/session.ts'
import {
  absenceOf,
  byCamp,
  type CampNumbers,
  type FlowBlock,
  flowLayout,
  type Group,
  groupsOf,
  numberOf,
  type Ribbon,
  type Standing,
  standingsIn,
} from '../count/moves.ts'
import type { Level } from '../count/tally.ts'
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
import { roundLabel } from './moves.ts'

export const ribbonPath = ({ x0, y0, x1, y1, thick }: Ribbon): string => {
  const middle = rounded((x0 + x1) / 2)
  const [from, to, low0, low1] = [y0, y1, y0 + thick, y1 + thick].map(rounded)
  return (
    `M${rounded(x0)} ${from}C${middle} ${from} ${middle} ${to} ${rounded(x1)} ${to}V${low1}` +
    `C${middle} ${low1} ${middle} ${low0} ${rounded(x0)} ${low0}Z`
  )
}

/** The name of a column: a round that came after the counted one is marked, since what moved in it isn't in the verdict. */
export const columnLabel = (session: Session, round: Round): string =>
  round.index > (shownRound(session)?.index ?? round.index)
    ? `${roundLabel(round)}, not counted`
    : roundLabel(round)

/** The same in words, for those who do not see it. */
export const flowWords = (session: Session, columns: readonly (readonly Group[])[]): string =>
  session.roundsSoFar
    .map((round, index) => {
      const parts = (columns[index] ?? []).map(({ key, seats }) => {
        const number = numberOf(key)
        return `${seats.length} ${number === undefined ? key : `in camp ${number + 1}`}`
      })
      return `${columnLabel(session, round)}: ${parts.join(', ')}`
    })
    .join('. ')

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

// levelColour: The colour of a level, which is no camp's.

export const levelColour = (level: Level): string =>
  `var(--level-${level === 'unanimous-with-caveats' ? 'unanimous' : level})`

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

// tableLayout: Where seats stand around the drawn table, and how arrows run between them: in hundredths of the drawing.

export interface Place {
  readonly x: number
  readonly y: number
}

export interface TableLayout {
  readonly points: readonly Place[]
  /** The diameter of a seat. */
  readonly size: number
  /** Of the table itself. */
  readonly radius: number
  /** There is room for names. */
  readonly named: boolean
}

/** With more seats, names would overlap; then they are shown on hover, in the list, and to screen readers. */
const mostNamed = 10
/** On a phone, a smaller seat couldn't be hit with a finger. */
const smallest = 7.2
const largest = 13.5
/** The count in the middle needs its room. */
const innermost = 25

/** The first seat at the top. */
const pointOf = (index: number, of: number, radius: number): Place => {
  const angle = (index / of) * 2 * Math.PI - Math.PI / 2
  return { x: 50 + radius * Math.cos(angle), y: 50 + radius * Math.sin(angle) }
}

const roomOn = (radius: number, size: number): number => Math.floor((2 * Math.PI * radius) / (size * 1.08))

/** The radii of the rings that a large table needs, the outermost first. */
const ringsFor = (count: number, size: number): number[] => {
  const rings: number[] = []
  let room = 0
  for (let radius = 46; radius >= innermost && room < count; radius -= size * 1.12) {
    rings.push(radius)
    room += roomOn(radius, size)
  }
  return rings
}

/** Seats on each ring, in proportion to its length: every stretch of the circle belongs to neighbours in the list. */
const onRings = (count: number, rings: readonly number[]): Place[] => {
  const whole = rings.reduce((sum, radius) => sum + radius, 0)
  const shares = rings.map(radius => Math.floor((radius / whole) * count))
  const first = count - shares.slice(1).reduce((sum, share) => sum + share, 0)
  const places = rings.flatMap((radius, ring) => {
    const of = ring === 0 ? first : (shares[ring] ?? 0)
    return Array.from({ length: of }, (_, index) => ({ turn: index / of, ...pointOf(index, of, radius) }))
  })
  return places.toSorted((one, other) => one.turn - other.turn)
}

export const tableLayout = (count: number): TableLayout => {
  if (count <= mostNamed) {
    const points = Array.from({ length: count }, (_, index) => pointOf(index, count, 35))
    return { points, size: largest, radius: 25.5, named: true }
  }
  const one = Math.min(largest, (2 * Math.PI * 43 * 0.82) / count)
  const size = Math.max(one, smallest)
  const rings = one >= smallest ? [43] : ringsFor(count, size)
  const fits = rings.reduce((sum, radius) => sum + roomOn(radius, size), 0)
  return {
    points: onRings(count, rings),
    size: fits < count ? (size * fits) / count : size,
    radius: (rings.at(-1) ?? 43) - size / 2 - 3,
    named: false,
  }
}

/** How much of its share of the edge a seat's stretch takes: the gaps let one count them. */
const stretch = 0.94

/** The table's edge before some of its seats: a stretch for each, so that who agrees can be seen. */
export const edgeBefore = (places: readonly Place[], seats: number, radius: number): string => {
  const half = (Math.PI / seats) * stretch
  const at = (angle: number): string =>
    `${Number((50 + radius * Math.cos(angle)).toFixed(2))} ${Number((50 + radius * Math.sin(angle)).toFixed(2))}`
  return places
    .map(({ x, y }) => {
      const angle = Math.atan2(y - 50, x - 50)
      return `M${at(angle - half)}A${radius} ${radius} 0 ${half > Math.PI / 2 ? 1 : 0} 1 ${at(angle + half)}`
    })
    .join('')
}

/** So much of the middle is the count's. */
const middle = 17

/** From seat to seat, short of both, and around the count in the middle. */
export const arrowPath = (from: Place, to: Place): string => {
  const toCentre = ({ x, y }: Place, share: number): Place => ({
    x: x + (50 - x) * share,
    y: y + (50 - y) * share,
  })
  const [start, end] = [toCentre(from, 0.3), toCentre(to, 0.33)]
  const [x, y] = [(start.x + end.x) / 2 - 50, (start.y + end.y) / 2 - 50]
  const distance = Math.hypot(x, y)
  // Between seats that face each other, either side will do.
  const [dx, dy] =
    distance < 1
      ? [
          (start.y - end.y) / Math.hypot(start.x - end.x, start.y - end.y),
          (end.x - start.x) / Math.hypot(start.x - end.x, start.y - end.y),
        ]
      : [x / distance, y / distance]
  const far = Math.max(distance, 2 * middle - distance)
  const at = (value: number): number => Number(value.toFixed(2))
  return `M${at(start.x)} ${at(start.y)}Q${at(50 + dx * far)} ${at(50 + dy * far)} ${at(end.x)} ${at(end.y)}`
}

// table: The round table as a drawing: who sits where, in which camp, whose words moved whom, and how many agree.

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
