/** The verdict so far, named so: the count of the last closed round, in a place that is kept for it. */
import { isSettled } from '../../../../core/camps/standings.ts'
import { isOverdue, latestRound, type Session } from '../../../../core/log/state.ts'
import { stageOf } from '../../../../core/progress/steps.ts'
import { type Provisional, provisionalOf } from '../../../../core/verdict/provisional.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import { changedSentence } from '../../../../core/wording/changed-words.ts'
import { levelTitle } from '../../../../core/wording/level-words.ts'
import { provisionalTitle } from '../../../../core/wording/progress-words.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { provisionalCount, shortLabel } from '../../../../core/wording/verdict-line.ts'
import { useSeen, useStage } from '../stage.ts'

/** More would not fit a phone; the legend has them all. */
const mostCamps = 3

/** No seat is asked again, and none can still answer late: what is left is the report. */
const isLast = (session: Session, { round }: Provisional): boolean =>
  stageOf(session) === 'report' &&
  round === latestRound(session) &&
  !session.roundsSoFar.some(one => session.seats.some(({ id }) => isOverdue(one, id)))

/** Nothing until the answers are compared: "no model changed its mind" could be taken back a moment later. */
const changedSoFar = (session: Session, { round }: Provisional): string | undefined =>
  isSettled(session, round) && verdictOf(session).final?.round === round.index
    ? changedSentence(session)
    : undefined

const remarkOn = (session: Session, soFar: Provisional): string => {
  if (soFar.uncompared) return 'The moderator is comparing the answers. The count comes next.'
  if (soFar.unchecked) return 'A first count: the moderator is still checking who agrees with whom.'
  return isLast(session, soFar)
    ? 'All seats are done. Only the report is missing.'
    : 'Seats may still change their minds.'
}

const wayThere = ({ stopped, rounds }: Session): string => {
  if (stopped) return 'The session is ending.'
  const next = rounds > 0 ? ' Then they hear from each other and may change their minds.' : ''
  return `It appears when the sealed round is over. Until then, no seat sees another.${next}`
}

export const ProvisionalVerdict = () => {
  const session = useSeen(useStage().session)
  const soFar = provisionalOf(session)
  const level = soFar && !soFar.uncompared ? soFar.tally.level : null
  return (
    <div className="min-h-44 border-l-3 border-line pl-4 sm:min-h-32" aria-live="polite">
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
          {level && (
            <p className="mt-1 line-clamp-2 wrap-anywhere">
              {soFar.tally.camps.slice(0, mostCamps).map(camp => (
                <span key={camp.id} dir="auto">
                  {camp !== soFar.tally.camps[0] && ' · '}
                  <span className="said">{shortLabel(camp)}</span>{' '}
                  <span className="text-soft">{camp.seats.length}</span>
                </span>
              ))}
            </p>
          )}
          <p className="mt-1 text-sm text-soft">
            {[changedSoFar(session, soFar), remarkOn(session, soFar)].filter(Boolean).join(' ')}
          </p>
        </>
      ) : (
        <p className="mt-1 max-w-prose text-soft">{wayThere(session)}</p>
      )}
    </div>
  )
}
