/** The verdict so far, named so: the count of the last closed round, in a place that is kept for it. */
import { isOverdue, latestRound, type Session } from '../../../../core/log/state.ts'
import { stageOf } from '../../../../core/progress/steps.ts'
import { type Provisional, provisionalOf } from '../../../../core/verdict/provisional.ts'
import { levelTitle } from '../../../../core/wording/level-words.ts'
import { provisionalTitle } from '../../../../core/wording/progress-words.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { provisionalCount } from '../../../../core/wording/verdict-line.ts'
import { useSeen, useStage } from '../stage.ts'

/** No seat is asked again, and none can still answer late: what is left is the report. */
const isLast = (session: Session, { round }: Provisional): boolean =>
  stageOf(session) === 'report' &&
  round === latestRound(session) &&
  !session.roundsSoFar.some(one => session.seats.some(({ id }) => isOverdue(one, id)))

const remarkOn = (session: Session, soFar: Provisional): string => {
  if (soFar.uncompared) return 'The moderator is comparing the answers. The count comes next.'
  if (soFar.unchecked) return 'Who agrees with whom is still being checked.'
  return isLast(session, soFar)
    ? 'All seats are done. Only the report is missing.'
    : 'Seats may still change their minds.'
}

export const ProvisionalVerdict = () => {
  const session = useSeen(useStage().session)
  const soFar = provisionalOf(session)
  const level = soFar && !soFar.uncompared ? soFar.tally.level : null
  return (
    <div className="min-h-36 border-l-3 border-line pl-4 sm:min-h-28" aria-live="polite">
      <h2 className="label">
        {provisionalTitle}
        {soFar && `, after ${roundPhrase(soFar.round)}`}
      </h2>
      {soFar ? (
        <>
          <p className="mt-1 wrap-anywhere">
            {level && <span className="font-semibold">{levelTitle(level)}. </span>}
            {provisionalCount(session, soFar)}
          </p>
          <p className="mt-1 text-sm text-soft">{remarkOn(session, soFar)}</p>
        </>
      ) : (
        <p className="mt-1 text-soft">It appears when the sealed round is over.</p>
      )}
    </div>
  )
}
