/** How sure each seat was, round by round. */

import { useMemo, useState } from 'react'
import { dollars, percent, spentCost, wholeNumber } from '../../core/basics.ts'
import { moderatorUsageOf, type UsageSum, usageBySeat, usageOf } from '../../core/fold.ts'
import { answerIn, type Session, seatOf } from '../../core/session.ts'
import {
  type CampNumbers,
  campsById,
  type FlowBlock,
  flowLayout,
  groupsOf,
  numberOf,
  type Ribbon,
  standingsIn,
} from '../../count/moves.ts'
import type { Tally as Count } from '../../count/tally.ts'
import { type Concession, influenceOf, type Moved, verdictOf } from '../../count/verdict.ts'
import { campColour, campFill } from '../../words/camp-patterns.ts'
import { columnLabel, flowWords, ribbonPath } from '../../words/drawing.ts'
import {
  grantedTitle,
  grantedWords,
  influenceHeads,
  persuasive,
  roundLabel,
  wonOver,
} from '../../words/moves.ts'
import { searchWords } from '../../words/words.ts'
import { Bar, movedApart, useWidth } from '../kit/controls.tsx'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

const height = 190
const inset = { top: 24, bottom: 8, left: 44, right: 25 }
/** So wide is a letter at the end of a line. */
const letter = 9

/** With more seats, letters would cover the lines. */
const mostLettered = 12

interface Dot {
  readonly x: number
  readonly y: number
  readonly number: number | undefined
}

interface Line {
  readonly seat: string
  readonly alias: string
  readonly dots: readonly Dot[]
}

/** Most seats are rather sure: the lower half is drawn only if somebody is in it. */
const floorOf = (session: Session): number => {
  const values = session.roundsSoFar.flatMap(round =>
    session.seats.map(seat => answerIn(round, seat.id)?.confidence ?? 1),
  )
  return Math.min(...values) < 0.5 ? 0 : 0.5
}

const yOf = (confidence: number, floor: number): number =>
  inset.top + ((1 - confidence) / (1 - floor)) * (height - inset.top - inset.bottom)

/** How far apart rounds are drawn, with room for the letters of all seats that are equally sure at the end. */
const stepOf = ({ roundsSoFar, seats }: Session, width: number): number => {
  const ends = seats.map(({ id }) => answerIn(roundsSoFar.at(-1), id)?.confidence)
  const most = Math.max(...ends.map(end => ends.filter(other => other === end).length))
  const room = width - inset.left - inset.right - (seats.length <= mostLettered ? most * letter : 0)
  return roundsSoFar.length > 1 ? room / (roundsSoFar.length - 1) : 0
}

const linesOf = (session: Session, numbers: CampNumbers, width: number): Line[] => {
  const floor = floorOf(session)
  const rounds = session.roundsSoFar
  const step = stepOf(session, width)
  const standings = rounds.map(round => standingsIn(session, round, numbers))
  return session.seats.map((seat, index) => ({
    seat: seat.id,
    alias: seat.alias,
    dots: rounds.flatMap((round, column) => {
      const confidence = answerIn(round, seat.id)?.confidence
      if (confidence === null || confidence === undefined) return []
      return [
        {
          x: inset.left + column * step,
          y: yOf(confidence, floor),
          number: standings[column]?.[index]?.number,
        },
      ]
    }),
  }))
}

/** Rounds in which somebody said how sure it is. One alone is no line: the cards have its figures. */
export const confidentRounds = ({ roundsSoFar, seats }: Session): number =>
  roundsSoFar.filter(round => seats.some(({ id }) => answerIn(round, id)?.confidence != null)).length

/** Letters at the end of their lines: in one word if lines end at the same place, and moved apart if they end close by. */
const labelled = (lines: readonly Line[]): { alias: string; x: number; y: number }[] => {
  const ends = new Map<string, { alias: string; x: number; y: number }>()
  for (const { alias, dots } of lines) {
    const end = dots.at(-1)
    if (!end) continue
    const place = `${end.x} ${end.y}`
    ends.set(place, { x: end.x, y: end.y, alias: `${ends.get(place)?.alias ?? ''}${alias}` })
  }
  return movedApart([...ends.values()], 12)
}

const wordsOf = (session: Session): string =>
  session.seats
    .map(seat => {
      const values = session.roundsSoFar.map(round => answerIn(round, seat.id)?.confidence)
      return `${seat.name}: ${values.map(value => (value == null ? 'none' : percent(value))).join(', then ')}`
    })
    .join('. ')

export const Confidence = () => {
  const { session, numbers } = useStage()
  const [element, width] = useWidth()
  const floor = floorOf(session)
  const step = stepOf(session, Math.max(width, 160))
  const lines = linesOf(session, numbers, Math.max(width, 160))
  if (lines.every(line => line.dots.length === 0))
    return <p className="text-soft">No seat has given its confidence.</p>
  return (
    <div ref={element}>
      <svg
        width={width}
        height={height + 10}
        role="img"
        aria-label={`Confidence by round. ${wordsOf(session)}`}
      >
        {[floor, (1 + floor) / 2, 1].map(value => (
          <g key={value}>
            <line
              x1={inset.left}
              x2={width}
              y1={yOf(value, floor)}
              y2={yOf(value, floor)}
              stroke="var(--line)"
            />
            <text x="0" y={yOf(value, floor) + 4} fontSize="12" fill="var(--soft)">
              {percent(value)}
            </text>
          </g>
        ))}
        {session.roundsSoFar.map((round, column) => (
          <text
            key={round.index}
            x={inset.left + column * step}
            y="12"
            fontSize="12"
            fill="var(--soft)"
            textAnchor={column === 0 ? 'start' : 'middle'}
          >
            {roundLabel(round)}
          </text>
        ))}
        {lines.map(({ seat, dots }) => (
          <g key={seat}>
            <polyline
              points={dots.map(({ x, y }) => `${x},${y}`).join(' ')}
              fill="none"
              stroke={
                dots.at(-1)?.number === undefined ? 'var(--edge)' : campColour(dots.at(-1)?.number ?? 0)
              }
              strokeWidth="2"
            />
            {dots.map(({ x, y, number }) => (
              <circle
                key={x}
                cx={x}
                cy={y}
                r="4"
                fill={number === undefined ? 'var(--edge)' : campColour(number)}
                stroke="var(--surface)"
                strokeWidth="1.5"
              />
            ))}
          </g>
        ))}
        {lines.length <= mostLettered &&
          labelled(lines).map(({ alias, x, y }) => (
            <text
              key={alias}
              {...{ x: x + 9, y: y + 4, fontSize: 12, fontWeight: 700, fill: 'var(--ink)' }}
              letterSpacing=".08em"
            >
              {alias}
            </text>
          ))}
      </svg>
    </div>
  )
}

// cost: What the session has cost so far, by seat, against its budget.

const Row = ({ label, usage, strong }: { label: string; usage: UsageSum; strong?: boolean }) => (
  <tr className={`border-t border-line ${strong ? 'font-semibold' : ''}`}>
    <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
      {label}
    </th>
    <td className="py-1.5 pr-3 text-right tabular-nums">
      {wholeNumber(usage.inputTokens)}
      {usage.cachedTokens > 0 && (
        <span className="block text-xs font-normal text-soft">{wholeNumber(usage.cachedTokens)} cached</span>
      )}
    </td>
    <td className="py-1.5 pr-3 text-right tabular-nums">{wholeNumber(usage.outputTokens)}</td>
    <td className="py-1.5 text-right tabular-nums">
      {spentCost(usage)}
      {searchWords(usage)}
    </td>
  </tr>
)

export const CostTable = () => {
  const { session } = useStage()
  const bySeat = usageBySeat(session)
  const whole = usageOf(session)
  const cap = session.budget?.usd
  return (
    <>
      {cap !== undefined && whole.costUsd !== null && (
        <p className="mb-3 flex items-center gap-3 text-sm">
          <Bar share={whole.costUsd / cap} className="w-32" />
          {dollars(whole.costUsd)} of {dollars(cap)}
        </p>
      )}
      <table className="w-full text-sm">
        <thead>
          <tr className="text-right text-soft">
            <th className="w-1/2 pb-1.5 text-left font-medium">Seat</th>
            <th className="pr-3 pb-1.5 font-medium">In</th>
            <th className="pr-3 pb-1.5 font-medium">Out</th>
            <th className="pb-1.5 font-medium">Cost</th>
          </tr>
        </thead>
        <tbody>
          {session.seats.map(seat => {
            const usage = bySeat[seat.id]
            return usage && <Row key={seat.id} label={seat.name} usage={usage} />
          })}
          <Row label="Moderator" usage={moderatorUsageOf(session)} />
          <Row label="Total" usage={whole} strong />
        </tbody>
      </table>
    </>
  )
}

// flow: Position flow: how the camps of each round became those of the next, a ribbon for every seat.

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

// influence: Who moved whom: the arrows of the drawn table in words, and how many each seat won over.

const Movers = ({ moved }: { moved: readonly Moved[] }) => {
  const { session } = useStage()
  const movers = [...Map.groupBy(moved, one => one.by)]
  if (movers.length === 0)
    return <p className="text-soft">No change of mind can be traced to another seat’s words.</p>
  return (
    <ul className="space-y-2">
      {movers.map(([mover, own]) => (
        <li key={mover} className="wrap-anywhere">
          <span className="font-semibold">{seatOf(session, mover).name}</span>
          <span className="text-soft"> moved </span>
          {own.map(one => seatOf(session, one.seat).name).join(', ')}
        </li>
      ))}
    </ul>
  )
}

const Granted = ({ granted }: { granted: readonly Concession[] }) => {
  const { session } = useStage()
  const name = (seat: string): string => seatOf(session, seat).name
  return (
    <div className="mt-4">
      <p className="label mb-1">{grantedTitle}</p>
      <ul className="space-y-1 text-sm">
        {granted.map(({ seat, by, round, quote }) => (
          <li key={`${seat} ${round}`} className="wrap-anywhere">
            {grantedWords(name(seat), name(by))} <q className="said text-soft">{quote}</q>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** With more rows it stops being an overview. */
const mostShown = 8

/** Texts take no sides, and at a table where nobody moved there is nothing to show. */
export const hasInfluence = (session: Session): boolean => {
  const { moved, granted, pull } = influenceOf(session)
  return moved.some(({ verified }) => verified) || granted.length > 0 || persuasive(pull).length > 0
}

export const Influence = () => {
  const { session } = useStage()
  const { moved, granted, pull } = influenceOf(session)
  const pulling = persuasive(pull).slice(0, mostShown)
  return (
    <>
      <Movers moved={moved.filter(one => one.verified)} />
      {granted.length > 0 && <Granted granted={granted.slice(0, mostShown)} />}
      {pulling.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="text-soft">{influenceHeads[1]} (no proof that it was the reason)</summary>
          <table className="mt-2 w-full">
            <tbody>
              {pulling.map(one => (
                <tr key={one.seat} className="border-t border-line">
                  <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
                    {seatOf(session, one.seat).name}
                  </th>
                  <td className="w-28 py-1.5 text-right tabular-nums">{wonOver(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}

// tally: The tally, sealed and final side by side: what the table thought alone, and what it thinks together.

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
