/** The result in the shape of its format: bars for positions, places for rankings, dots for numbers, a line for prices. */
import { lazy, Suspense } from 'react'
import { hasCamps } from '../../../../core/camps/standings.ts'
import type { Session } from '../../../../core/log/state.ts'
import { useStage } from '../stage.ts'
import { CampBars } from './camp-bars.tsx'

/** Drawings load after the text, and have their height before. */
const Places = lazy(() => import('./places.tsx'))
const Dots = lazy(() => import('./dots.tsx'))
const Prices = lazy(() => import('./prices.tsx'))

/** Bars name the camps, so the table needs no legend. */
export const hasBars = ({ imported, question, outcome, report }: Session): boolean =>
  !imported &&
  (outcome !== undefined || report !== undefined) &&
  (question.format === 'choice' || question.format === 'open')

const hasPrices = (session: Session): boolean =>
  session.roundsSoFar.some(round => round.digest?.figures?.kind === 'prices')

const height = (session: Session): string => {
  const { format, options } = session.question
  if (format === 'ranking') return `${options.length * 3.5}rem`
  return format === 'number' ? `${session.roundsSoFar.length * 4.75 + 3}rem` : '12rem'
}

const Drawing = () => {
  const { session } = useStage()
  const { format } = session.question
  if (format === 'ranking') return <Places />
  if (format === 'number') return <Dots />
  return hasPrices(session) ? <Prices /> : null
}

export const Result = () => {
  const { session } = useStage()
  const drawn = ['ranking', 'number'].includes(session.question.format) || hasPrices(session)
  if (session.imported || !hasCamps(session) || session.roundsSoFar.length === 0) return null
  return (
    <div className="mt-5 space-y-5">
      {hasBars(session) && <CampBars />}
      {drawn && (
        <div style={{ minHeight: height(session) }}>
          <Suspense>
            <Drawing />
          </Suspense>
        </div>
      )}
    </div>
  )
}
