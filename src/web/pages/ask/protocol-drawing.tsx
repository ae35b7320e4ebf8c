/** A small drawing for each protocol: who reads whom. Only decoration: the text beside it says the same. */
import type { ReactNode } from 'react'

const Dot = ({ x, y, open = false }: { x: number; y: number; open?: boolean }) => (
  <circle cx={x} cy={y} r="3.4" fill={open ? 'var(--surface)' : 'currentColor'} stroke="currentColor" />
)

const column = (x: number, open = false): ReactNode =>
  [10, 24, 38].map(y => <Dot key={y} x={x} y={y} open={open} />)

const lines = (paths: string): ReactNode => (
  <path d={paths} fill="none" stroke="currentColor" strokeWidth="1.3" opacity=".6" />
)

const ring = [0, 1, 2, 3, 4].map(seat => {
  const angle = (seat / 5) * 2 * Math.PI - Math.PI / 2
  return { x: 48 + 18 * Math.cos(angle), y: 25 + 18 * Math.sin(angle) }
})

const chords = ring
  .flatMap((one, index) => ring.slice(index + 1).map(other => `M${one.x} ${one.y}L${other.x} ${other.y}`))
  .join('')

const drawings: Readonly<Record<string, ReactNode>> = {
  poll: (
    <>
      {column(14, true)}
      {lines('M22 10H60M22 24H60M22 38H60')}
      <rect x="64" y="6" width="9" height="36" rx="3" fill="currentColor" />
    </>
  ),
  roundtable: (
    <>
      {lines(chords)}
      {ring.map(({ x, y }) => (
        <Dot key={x} x={x} y={y} />
      ))}
    </>
  ),
  hybrid: (
    <>
      {column(8, true)}
      {lines('M14 10L36 22M14 24H36M14 38L36 26M58 22L82 10M58 24H82M58 26L82 38')}
      <rect x="37" y="12" width="20" height="24" rx="3" fill="var(--surface)" stroke="currentColor" />
      {lines('M41 19H53M41 24H53M41 29H49')}
      {column(88)}
    </>
  ),
  delphi: (
    <>
      {lines('M8 8C40 8 50 22 88 22M8 40C40 40 50 26 88 26M8 24H88')}
      <Dot x={8} y={8} open />
      <Dot x={8} y={24} open />
      <Dot x={8} y={40} open />
      <Dot x={88} y={24} />
    </>
  ),
  'cross-examination': (
    <>
      {lines('M22 19H74M68 14L74 19L68 24M74 31H22M28 26L22 31L28 36')}
      <Dot x={12} y={25} />
      <Dot x={84} y={25} open />
    </>
  ),
  market: (
    <>
      {lines('M8 42H90M8 6V42')}
      <path d="M10 34L28 28L42 32L60 16L86 11" fill="none" stroke="currentColor" strokeWidth="2" />
      <Dot x={86} y={11} />
    </>
  ),
}

export const ProtocolDrawing = ({ id }: { id: string }) => (
  <svg viewBox="0 0 96 50" className="h-12 w-24 shrink-0 text-accent" aria-hidden="true">
    {drawings[id] ?? drawings.roundtable}
  </svg>
)
