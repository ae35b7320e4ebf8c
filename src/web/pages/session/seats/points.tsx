/** What a seat says of its peers' points: each in a line, with the whole quote and the reason behind it. */
import { useId } from 'react'
import { seatOf } from '../../../../core/log/state.ts'
import type { Judgement, Point } from '../../../../core/question/answer.ts'
import { pointsTitle, quoteNotFound, quoteWords } from '../../../../core/wording/point-words.ts'
import { useStage } from '../stage.ts'
import { roundOfQuote } from './credits.ts'

const tones: Record<Judgement, string> = {
  holds: 'text-good',
  'holds in part': 'text-good',
  'beside the point': 'text-soft',
  'does not hold': 'text-bad',
  works: 'text-good',
  'nearly works': 'text-soft',
  'does not work': 'text-bad',
  'cannot be checked': 'text-soft',
}

const Source = ({ point, round }: { point: Point; round: number }) => {
  const { session, reveal } = useStage()
  const { seat, quote, verified } = point
  if (!verified) return null
  return (
    <button
      type="button"
      className="mt-1 max-w-full text-left text-sm wrap-anywhere text-soft underline decoration-line underline-offset-3 hover:text-ink"
      onClick={() => reveal(seat, roundOfQuote(session, { round, credit: point }), quote)}
    >
      <span className="text-good">✓</span> {quoteWords(true)}: show it
    </button>
  )
}

const Entry = ({ point, round }: { point: Point; round: number }) => {
  const { session } = useStage()
  return (
    <li className="border-t border-line py-1.5 first:border-0">
      <details className="group">
        <summary className="flex cursor-pointer gap-1.5 text-sm">
          <span aria-hidden="true" className="self-start text-soft transition-transform group-open:rotate-90">
            ▸
          </span>
          <span className="line-clamp-2 min-w-0 wrap-anywhere group-open:line-clamp-none">
            <span className={`font-medium ${tones[point.judgement]}`}>{point.judgement}</span>
            <span className="text-soft">
              {' · '}
              {seatOf(session, point.seat).name}
              {!point.verified && ` (${quoteNotFound})`}:{' '}
            </span>
            <span className="said italic" dir="auto">
              “{point.quote}”
            </span>
          </span>
        </summary>
        <div className="pb-1 pl-4">
          {point.why.trim() !== '' && (
            <p className="said mt-1 text-[.95rem] whitespace-pre-wrap" dir="auto">
              {point.why}
            </p>
          )}
          <Source point={point} round={round} />
        </div>
      </details>
    </li>
  )
}

export const Points = ({ points, round }: { points: readonly Point[]; round: number }) => {
  const title = useId()
  if (points.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark per seat.
    <div role="group" className="mt-3" aria-labelledby={title}>
      <h5 id={title} className="label break-after-avoid">
        {pointsTitle}
      </h5>
      <ul className="mt-1">
        {points.map((point, index) => (
          <Entry key={`${index} ${point.seat}`} point={point} round={round} />
        ))}
      </ul>
    </div>
  )
}
