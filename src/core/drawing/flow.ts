/** The position flow as a drawing: how the camps of each round became those of the next, a ribbon for every seat. */
import { type FlowBlock, flowLayout, type Group, groupsOf, numberOf, type Ribbon } from '../camps/flow.ts'
import type { CampNumbers } from '../camps/standings.ts'
import type { Round, Session } from '../log/state.ts'
import { shownRound } from '../verdict/verdict.ts'
import { roundLabel } from '../wording/round-names.ts'
import { campColour, campFill } from './camp-patterns.ts'
import { type DrawnShape, longestLetters, rounded, shape, shortened } from './shape.ts'

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
