/** Position flow: how the camps of each round became those of the next, a ribbon for every seat; and their counts, sealed and final. */

import { useMemo, useState } from 'react'
import { campsById, type FlowBlock, flowLayout, groupsOf, numberOf, type Ribbon } from '../../count/moves.ts'
import type { Tally as Count } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { campColour, campFill } from '../../words/camp-patterns.ts'
import { columnLabel, flowWords, ribbonPath } from '../../words/drawing.ts'
import { useWidth } from '../kit/controls.tsx'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

const blockWidth = 30
const top = 26

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

/** Seats that changed their mind stand out; the others stay in the background. */
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
      d={ribbonPath(ribbon)}
      fill={number === undefined ? 'var(--edge)' : campColour(number)}
      opacity={dimmed ? 0.08 : moved ? 0.7 : 0.24}
      onPointerEnter={onHover}
      className="transition-opacity"
    />
  )
}

export const Flow = () => {
  const { session, numbers } = useStage()
  const [element, width] = useWidth()
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
              {columnLabel(session, round)}
            </text>
          )
        })}
        <g transform={`translate(0 ${top})`}>
          {ribbons.map(ribbon => (
            <RibbonPath
              key={`${ribbon.seat} ${ribbon.x0}`}
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

// The tally, sealed and final side by side: what the table thought alone, and what it thinks together.

const ShareBar = ({ share, number }: { share: number; number: number | undefined }) => (
  <svg className="h-3 w-full" aria-hidden="true">
    <rect width="100%" height="100%" rx="4" fill="var(--shade)" />
    {share > 0 && (
      <rect
        width={`${share * 100}%`}
        height="100%"
        rx="4"
        fill={number === undefined ? 'var(--edge)' : campFill(number)}
      />
    )}
  </svg>
)

const sizeOf = (tally: Count | null, row: string): number | null => {
  if (!tally) return null
  if (row === 'silent' || row === 'abstained') return tally[row].length
  return tally.camps.find(camp => camp.id === row)?.seats.length ?? 0
}

export const TallyTable = () => {
  const { session, numbers } = useStage()
  const { sealed, final, leading, of } = verdictOf(session)
  const camps = campsById(session)
  const ids = [...camps.keys()].toSorted((one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0))
  const absent = ['silent', 'abstained'].filter(row => sizeOf(sealed, row) || sizeOf(final, row))
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-soft">
          <th className="pb-2 font-medium">Camp</th>
          <th className="w-1/4 pb-2 font-medium">Sealed</th>
          <th className="w-1/4 pb-2 font-medium">Final</th>
        </tr>
      </thead>
      <tbody>
        {[...ids, ...absent].map(row => {
          const number = numbers.get(row)
          return (
            <tr key={row} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                <span className="flex items-start gap-2">
                  {camps.has(row) && <CampMark index={number ?? 0} className="size-4.5" />}
                  <span>
                    <span className="said line-clamp-4">{camps.get(row)?.label ?? row}</span>
                    {row === leading && <strong className="block text-accent">leads</strong>}
                  </span>
                </span>
              </th>
              {[sealed, final].map((tally, index) => {
                const size = sizeOf(tally, row)
                return (
                  <td key={index === 0 ? 'sealed' : 'final'} className="py-2 pr-3">
                    <span className="tabular-nums">{size ?? '–'}</span>
                    <ShareBar share={(size ?? 0) / of} number={camps.has(row) ? (number ?? 0) : undefined} />
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
