/** A session in a small picture: its position flow, without words. */
import { useMemo } from 'react'
import { flowLayout, groupsOf, numberOf } from '../../core/camps/flow.ts'
import { campNumbers } from '../../core/camps/standings.ts'
import { flowWords, ribbonPath } from '../../core/drawing/flow.ts'
import type { Session } from '../../core/log/state.ts'
import { campColour, campFill } from './camp.tsx'

const size = { width: 200, height: 64, blockWidth: 12, gap: 4 }

export const SessionGlimpse = ({ session }: { session: Session }) => {
  const columns = useMemo(() => groupsOf(session, campNumbers(session)), [session])
  const { blocks, ribbons } = useMemo(() => flowLayout(columns, size), [columns])
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="h-16 w-full max-w-50"
      role="img"
      aria-label={flowWords(session, columns)}
    >
      {ribbons.map(ribbon => {
        const { seat, from, to, x0 } = ribbon
        const number = numberOf(to) ?? numberOf(from)
        const fill = number === undefined ? 'var(--edge)' : campColour(number)
        return (
          <path key={`${seat} ${x0}`} d={ribbonPath(ribbon)} fill={fill} opacity={from === to ? 0.24 : 0.7} />
        )
      })}
      {blocks.map(({ key, column, x, y, height }) => {
        const number = numberOf(key)
        return (
          <rect
            key={`${column} ${key}`}
            x={x}
            y={y}
            width={size.blockWidth}
            height={Math.max(1, height - 0.5)}
            rx="2.5"
            fill={number === undefined ? 'var(--edge)' : campFill(number)}
            opacity={number === undefined ? 0.4 : 1}
          />
        )
      })}
    </svg>
  )
}
