/** Position flow: how the camps of each round became those of the next, a ribbon for every seat. */
import { useMemo, useState } from 'react'
import type { Session } from '../../../core/state.ts'
import { campColour, campFill } from '../../components/camp.tsx'
import { useWidth } from '../../components/width.ts'
import { absenceOf, type CampNumbers, placesIn } from './camps.ts'
import { type FlowBlock, flowLayout, type Group, type Ribbon } from './flow-layout.ts'
import { useStage } from './stage.ts'
import { roundName } from './wording.ts'

const blockWidth = 30
const top = 26

/** Blocks of a round: camps by number, then who stands in none. */
export const groupsOf = (session: Session, numbers: CampNumbers): Group[][] =>
  session.roundsSoFar.map(round => {
    const byKey = new Map<string, string[]>()
    for (const place of placesIn(session, round, numbers)) {
      const key = place.number === undefined ? (absenceOf(place) ?? 'ungrouped') : String(place.number)
      byKey.set(key, [...(byKey.get(key) ?? []), place.seat.id])
    }
    const rank = (key: string): number => (/^\d/.test(key) ? Number(key) : 1_000 + key.length)
    return [...byKey]
      .toSorted(([one], [other]) => rank(one) - rank(other))
      .map(([key, seats]) => ({ key, seats }))
  })

export const numberOf = (key: string): number | undefined => (/^\d/.test(key) ? Number(key) : undefined)

const Block = ({ block }: { block: FlowBlock }) => {
  const number = numberOf(block.key)
  const [x, y] = [block.x + blockWidth / 2, block.y + block.height / 2]
  return (
    <g>
      <rect
        x={block.x}
        y={block.y}
        width={blockWidth}
        height={Math.max(2, block.height - 1)}
        rx="5"
        fill={number === undefined ? 'var(--shade)' : campFill(number)}
        stroke={number === undefined ? 'var(--edge)' : 'none'}
        strokeDasharray={number === undefined ? '3 3' : undefined}
      />
      {number !== undefined && block.height >= 14 && (
        <>
          <circle cx={x} cy={y} r="9" fill="var(--surface)" />
          <text x={x} y={y + 4.2} textAnchor="middle" fontSize="12" fontWeight="700" fill="var(--ink)">
            {number + 1}
          </text>
        </>
      )}
      {number === undefined && block.height >= 14 && (
        <text x={x} y={y + 4} textAnchor="middle" fontSize="11" fill="var(--soft)">
          {block.key === 'silent' ? '✕' : block.key === 'abstained' ? '–' : '…'}
        </text>
      )}
    </g>
  )
}

/** Whoever changed its mind stands out; whoever stayed is the ground. */
const RibbonPath = ({
  ribbon,
  dimmed,
  onHover,
}: {
  ribbon: Ribbon
  dimmed: boolean
  onHover: () => void
}) => {
  const moved =
    numberOf(ribbon.from) !== undefined && numberOf(ribbon.to) !== undefined && ribbon.from !== ribbon.to
  const number = numberOf(ribbon.to) ?? numberOf(ribbon.from)
  return (
    <path
      d={ribbon.path}
      fill={number === undefined ? 'var(--edge)' : campColour(number)}
      opacity={dimmed ? 0.08 : moved ? 0.7 : 0.24}
      onPointerEnter={onHover}
      className="transition-opacity"
    />
  )
}

/** The same in words, for those who do not see it. */
export const flowWords = (session: Session, columns: readonly (readonly Group[])[]): string =>
  session.roundsSoFar
    .map((round, index) => {
      const groups = columns[index] ?? []
      const parts = groups.map(({ key, seats }) => {
        const number = numberOf(key)
        return `${seats.length} ${number === undefined ? key : `in camp ${number + 1}`}`
      })
      return `${roundName(round)}: ${parts.join(', ')}`
    })
    .join('. ')

export const Flow = () => {
  const { session, numbers } = useStage()
  const [element, width] = useWidth<HTMLDivElement>()
  const [hovered, setHovered] = useState<string>()
  const columns = useMemo(() => groupsOf(session, numbers), [session, numbers])
  const height = Math.min(460, Math.max(170, session.seats.length * 30))
  const { blocks, ribbons } = useMemo(
    () => flowLayout(columns, { width: Math.max(width, 120), height, blockWidth, gap: 12 }),
    [columns, width, height],
  )
  return (
    <div ref={element}>
      <svg
        width={width}
        height={height + top}
        role="img"
        aria-label={`Position flow. ${flowWords(session, columns)}`}
        onPointerLeave={() => setHovered(undefined)}
        className="block overflow-visible"
      >
        {session.roundsSoFar.map((round, index) => {
          const step = columns.length > 1 ? (width - blockWidth) / (columns.length - 1) : 0
          const last = index === columns.length - 1 && index > 0
          return (
            <text
              key={round.index}
              x={last ? width : index * step + (index === 0 ? 0 : blockWidth / 2)}
              y="12"
              textAnchor={last ? 'end' : index === 0 ? 'start' : 'middle'}
              fontSize="13"
              fill="var(--soft)"
            >
              {roundName(round)}
            </text>
          )
        })}
        <g transform={`translate(0 ${top})`}>
          {ribbons.map(ribbon => (
            <RibbonPath
              key={`${ribbon.seat} ${ribbon.path}`}
              ribbon={ribbon}
              dimmed={hovered !== undefined && hovered !== ribbon.seat}
              onHover={() => setHovered(ribbon.seat)}
            />
          ))}
          {blocks.map(block => (
            <Block key={`${block.column} ${block.key}`} block={block} />
          ))}
        </g>
      </svg>
      <p className="mt-1 h-5 text-sm text-soft" aria-hidden="true">
        {session.seats.find(seat => seat.id === hovered)?.name}
      </p>
    </div>
  )
}
