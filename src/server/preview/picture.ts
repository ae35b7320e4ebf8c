/**
 * The picture that goes with a shared link: the table with every seat in the colour and pattern of its camp, and
 * beside it how the camps of each round became those of the next. Its words stand in the page's head.
 */
import { flowLayout, groupsOf, numberOf } from '../../core/camps/flow.ts'
import { byCamp, type CampNumbers, campNumbers, standingsIn } from '../../core/camps/standings.ts'
import { latestRound, type Session } from '../../core/log/state.ts'
import { type Canvas, type Colour, canvas, colourOf, mixed, type Shader } from './canvas.ts'

/** What crawlers ask for. */
export const pictureSize = { width: 1_200, height: 630 }

/** The light colours of the pages' `theme.css`. */
export const palette = {
  paper: '#faf8f3',
  surface: '#fffefb',
  line: '#e2dbce',
  edge: '#8a8275',
  accent: '#8a4a1c',
  camps: ['#2b6a9b', '#c1551a', '#49783a', '#76529f', '#94700f', '#b0406a', '#257873', '#6d5f50'],
} as const

const surface = colourOf(palette.surface)
const plain = (hex: string): Shader => {
  const colour = colourOf(hex)
  return () => colour
}

const tile = 16
const within = (value: number, width: number): boolean => ((value % tile) + tile) % tile < width
/** Where a camp's second colour shows, in the order of the pages' patterns; the first camp is plain. */
const patterns: readonly ((x: number, y: number) => boolean)[] = [
  () => false,
  (x, y) => within(x + y, 5),
  (x, y) => Math.hypot((x % tile) - tile / 2, (y % tile) - tile / 2) < 3.5,
  (_x, y) => within(y, 5),
  (x, y) => within(x - y, 5),
  x => within(x, 5),
  (x, y) => within(x, 4) || within(y, 4),
]

/** Never colour alone: people who cannot distinguish two colours see two patterns. */
const campPaint = (number: number): Shader => {
  const colour: Colour = colourOf(palette.camps[number % palette.camps.length]!)
  const light = mixed(colour, surface, 0.55)
  const isLight = patterns[number % patterns.length]!
  return (x, y) => (isLight(x, y) ? light : colour)
}

const paintOf = (number: number | undefined): Shader =>
  number === undefined ? plain(palette.edge) : campPaint(number)

/** With more seats, those of a camp sit together. */
const mostMixed = 10

const drawTable = (on: Canvas, session: Session, numbers: CampNumbers, x: number, y: number): void => {
  const seated = standingsIn(session, latestRound(session), numbers)
  const places = seated.length > mostMixed ? byCamp(seated) : seated
  const radius = 205
  const seat = Math.min(52, (Math.PI * radius * 0.82) / Math.max(places.length, 1))
  on.disc(x, y, radius - seat - 22, plain(palette.surface))
  on.ring(x, y, radius - seat - 22, 5, plain(palette.accent))
  for (const [index, { number, before, handedIn }] of places.entries()) {
    const angle = (index / places.length) * 2 * Math.PI - Math.PI / 2
    const [seatX, seatY] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
    const current = number ?? (handedIn ? undefined : before)
    if (current === undefined) on.ring(seatX, seatY, seat - 3, 6, plain(palette.edge))
    else on.disc(seatX, seatY, seat, paintOf(current))
  }
}

const drawFlow = (on: Canvas, session: Session, numbers: CampNumbers, left: number, top: number): void => {
  const size = { width: 470, height: 430, blockWidth: 44, gap: 18 }
  const { blocks, ribbons } = flowLayout(groupsOf(session, numbers), size)
  for (const { from, to, x0, y0, x1, y1, thick } of ribbons) {
    const number = numberOf(to) ?? numberOf(from)
    const colour = number === undefined ? palette.edge : palette.camps[number % palette.camps.length]!
    const band = { x0: left + x0, y0: top + y0, x1: left + x1, y1: top + y1, thick }
    on.ribbon(band, plain(colour), from === to ? 0.24 : 0.7)
  }
  for (const { key, x, y, height } of blocks)
    on.box(left + x, top + y, size.blockWidth, Math.max(3, height - 1), 8, paintOf(numberOf(key)))
}

/** A session of one round has no flow yet, and its table stands in the middle. */
export const pictureOf = (session: Session): Buffer => {
  const { width, height } = pictureSize
  const on = canvas(width, height, colourOf(palette.paper))
  const numbers = campNumbers(session)
  const flows = session.roundsSoFar.length > 1
  drawTable(on, session, numbers, flows ? 320 : width / 2, height / 2)
  if (flows) drawFlow(on, session, numbers, 640, 100)
  on.box(0, height - 10, width, 10, 0, plain(palette.accent))
  return on.png()
}
