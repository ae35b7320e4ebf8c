/** The verdict so far, named so: the count of the last closed round, in a place that is kept for it. */
import { isSettled } from '../../../../core/camps/standings.ts'
import { isOverdue, latestRound, type Session } from '../../../../core/log/state.ts'
import { stageOf } from '../../../../core/progress/steps.ts'
import { type Provisional, provisionalOf } from '../../../../core/verdict/provisional.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import { changedSentence } from '../../../../core/wording/changed-words.ts'
import { levelTitle } from '../../../../core/wording/level-words.ts'
import { listed } from '../../../../core/wording/numbers.ts'
import { provisionalTitle } from '../../../../core/wording/progress-words.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { provisionalCount, shortLabel } from '../../../../core/wording/verdict-line.ts'
import { CampMark } from '../../../components/camp.tsx'
import { useSeen, useStage } from '../stage.ts'

/** More would not fit a phone; the legend has them all. */
const mostCamps = 3

/** Nothing until the answers are compared: "no model changed its mind" could be taken back a moment later. */
const changedSoFar = (session: Session, { round }: Provisional): string | undefined =>
  isSettled(session, round) && verdictOf(session).final?.round === round.index
    ? changedSentence(session)
    : undefined

const remarkOn = (session: Session, soFar: Provisional): string => {
  if (soFar.uncompared) return 'The moderator is comparing the answers. The count comes next.'
  if (soFar.unchecked) return 'A first count: the moderator is still checking who agrees with whom.'
  if (stageOf(session) !== 'report') return 'Seats may still change their minds.'
  const late = session.seats.filter(({ id }) => session.roundsSoFar.some(round => isOverdue(round, id)))
  if (late.length > 0)
    return `A late answer of ${listed(late.map(({ name }) => name))} may still change the count.`
  return soFar.round === latestRound(session) ? 'All seats are done. Only the report is missing.' : ''
}

const wayThere = ({ stopped, rounds }: Session): string => {
  if (stopped) return 'The session is ending.'
  const next = rounds > 0 ? ' Then they hear from each other and may change their minds.' : ''
  return `It appears when the sealed round is over. Until then, no seat sees another.${next}`
}

export const ProvisionalVerdict = () => {
  const { session: log, numbers } = useStage()
  const session = useSeen(log)
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
            <ul className="mt-1 gap-x-5 sm:flex" aria-label="Largest camps">
              {soFar.tally.camps.slice(0, mostCamps).map(camp => (
                <li key={camp.id} className="flex min-w-0 items-center gap-2">
                  {isSettled(session, soFar.round) && (
                    <CampMark index={numbers.get(camp.id) ?? 0} className="size-4.5 shrink-0" />
                  )}
                  <span className="said truncate" dir="auto">
                    {shortLabel(camp)}
                  </span>
                  <span className="shrink-0 text-soft">{camp.seats.length}</span>
                </li>
              ))}
            </ul>
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
