/** The result in the shape of its format: bars for positions, places for rankings, dots for numbers, a line for prices. */

import { lazy, Suspense } from 'react'
import { counted } from '../../core/basics.ts'
import { type Session, seatOf } from '../../core/session.ts'
import type { Camp } from '../../count/camps.ts'
import { campsById, hasCamps } from '../../count/moves.ts'
import { compatibleWith, missingParts, type Tally } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { campFill } from '../../words/camp-patterns.ts'
import { CampMark } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

// campBars: The positions as bars, from the sealed vote to the last one: what the table thought alone, and what it thinks together.

/** With more camps, the smallest are summed up: a list of fifty bars says nothing. */
const mostShown = 8

/** With more seats, the table's colours say who holds what. */
const mostNamed = 12

const sizeIn = (tally: Tally | null, camp: string): number =>
  tally?.camps.find(({ id }) => id === camp)?.seats.length ?? 0

const Bars = ({ before, now, of, number }: { before?: number; now: number; of: number; number: number }) => (
  <svg className={`mt-1.5 w-full ${before === undefined ? 'h-2.5' : 'h-4'}`} aria-hidden="true">
    <rect width="100%" height="10" rx="4" fill="var(--shade)" />
    <rect width={`${(now / of) * 100}%`} height="10" rx="4" fill={campFill(number)} />
    {before !== undefined && (
      <rect y="12" width={`${(before / of) * 100}%`} height="4" rx="2" fill="var(--edge)" opacity=".6" />
    )}
  </svg>
)

const Missing = ({ tally }: { tally: Tally }) => {
  const parts = missingParts(tally, true)
  return parts.length > 0 && <p className="mt-2 text-sm text-soft">{parts.join(', ')}</p>
}

/** "compatible with 2 and 3", by the numbers of the camps: their labels are right above. */
const compatibleNumbers = (tally: Tally, id: string, numbers: ReadonlyMap<string, number>): string =>
  compatibleWith(tally, id)
    .map(camp => (numbers.get(camp.id) ?? 0) + 1)
    .join(', ')

export const CampBars = () => {
  const { session, numbers } = useStage()
  const { sealed, final, of, leading } = verdictOf(session)
  if (!final) return null
  const camps = campsById(session)
  const twice = sealed !== null && sealed.round !== final.round
  const ids = [...camps.keys()]
    .filter(id => sizeIn(final, id) > 0 || (twice && sizeIn(sealed, id) > 0))
    .toSorted(
      (one, other) =>
        sizeIn(final, other) - sizeIn(final, one) || sizeIn(sealed, other) - sizeIn(sealed, one),
    )
  if (ids.length === 0) return null
  const rest = ids.length - mostShown
  const names = (camp: Camp | undefined): string =>
    (camp?.seats ?? [])
      .map(id => seatOf(session, id))
      .map(({ alias, name }) => `${alias} ${name}`)
      .join(', ')
  return (
    <div>
      {twice && (
        <p className="label mb-2">
          Votes, sealed → last <span className="font-normal">(the thin line is the sealed vote)</span>
        </p>
      )}
      <ul className="space-y-3" aria-label="Positions">
        {ids.slice(0, mostShown).map(id => {
          const [before, now] = [sizeIn(sealed, id), sizeIn(final, id)]
          const camp = final.camps.find(one => one.id === id)
          const compatible = compatibleNumbers(final, id, numbers)
          const caveats = camp && camp.seats.length > 1 ? camp.qualified.length : 0
          return (
            <li key={id}>
              <div className="flex items-start gap-2.5">
                <CampMark index={numbers.get(id) ?? 0} className="mt-px size-5" />
                <span
                  className="said line-clamp-3 min-w-0 grow leading-snug"
                  dir="auto"
                  title={camps.get(id)?.label}
                >
                  {camps.get(id)?.label}
                </span>
                <span className={`shrink-0 tabular-nums ${id === leading ? 'font-semibold' : 'text-soft'}`}>
                  {twice && before !== now && (
                    <>
                      {before} <span aria-hidden="true">→</span>
                      <span className="sr-only">, then</span>{' '}
                    </>
                  )}
                  {now} of {of}
                </span>
              </div>
              <Bars before={twice ? before : undefined} now={now} of={of} number={numbers.get(id) ?? 0} />
              <p className="mt-0.5 text-sm wrap-anywhere text-soft">
                {[
                  of <= mostNamed && names(camp),
                  caveats > 0 && `${caveats} with a caveat`,
                  compatible && `compatible with ${compatible}`,
                ]
                  .filter(Boolean)
                  .join('; ')}
              </p>
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <p className="mt-2 text-sm text-soft">
          and {counted(rest, 'more position')},{' '}
          {ids.slice(mostShown).reduce((sum, id) => sum + sizeIn(final, id), 0)} of {of}
        </p>
      )}
      <Missing tally={final} />
    </div>
  )
}

/** Drawings load after the text, and have their height before. */
const Places = lazy(async () => ({ default: (await import('./formats.tsx')).Places }))
const Dots = lazy(async () => ({ default: (await import('./formats.tsx')).Dots }))
const Prices = lazy(async () => ({ default: (await import('./formats.tsx')).Prices }))

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
