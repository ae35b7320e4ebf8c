/** The verdict so far, named so: the count of the last closed round, in a place that is kept for it. */
import { type Provisional, provisionalOf } from '../../../../core/verdict/provisional.ts'
import { levelTitle, lineBeside } from '../../../../core/wording/level-words.ts'
import { provisionalTitle } from '../../../../core/wording/progress-words.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { useStage } from '../stage.ts'

const remarkOn = ({ uncompared, unchecked }: Provisional): string => {
  if (uncompared) return 'The count comes when the moderator has compared them.'
  return unchecked ? 'Who agrees with whom is still being checked.' : 'It may still change.'
}

export const ProvisionalVerdict = () => {
  const { session } = useStage()
  const soFar = provisionalOf(session)
  const level = soFar && !soFar.uncompared ? soFar.tally.level : null
  return (
    <div className="min-h-28 border-l-3 border-line pl-4" aria-live="polite">
      <h2 className="label">
        {provisionalTitle}
        {soFar && `, after ${roundPhrase(soFar.round)}`}
      </h2>
      {soFar ? (
        <>
          <p className="mt-1 line-clamp-2 wrap-anywhere">
            {level && <span className="font-semibold">{levelTitle(level)}. </span>}
            {lineBeside(level, soFar.line)}
          </p>
          <p className="mt-1 text-sm text-soft">{remarkOn(soFar)}</p>
        </>
      ) : (
        <p className="mt-1 text-soft">It comes as soon as the sealed round is closed.</p>
      )}
    </div>
  )
}
