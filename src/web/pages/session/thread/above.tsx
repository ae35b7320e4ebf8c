/** What the session follows or was forked from, in the head of its page: known from its own log, so nothing is loaded. */
import { Link } from '@tanstack/react-router'
import { carryTitles } from '../../../../core/wording/thread-words.ts'
import { useStage } from '../stage.ts'

const linkClass = 'font-medium text-accent hover:underline'

/** The question of the session before, if it was carried over; otherwise its id. */
const Earlier = ({ id, question }: { id: string; question?: string }) => {
  const { readOnly } = useStage()
  const words = question ? `“${question.length > 90 ? `${question.slice(0, 90)}…` : question}”` : id
  // Whoever has a link to one session may not open others.
  if (readOnly) return <span dir="auto">{words}</span>
  return (
    <Link to="/s/$id" params={{ id }} className={linkClass}>
      <span dir="auto">{words}</span>
    </Link>
  )
}

export const Above = () => {
  const { session, readOnly } = useStage()
  const { after, forkedFrom } = session
  if (!after && !forkedFrom) return null
  const shared = forkedFrom?.round
  return (
    <div className="space-y-1 text-sm text-soft">
      {after && (
        <p>
          Follow-up to <Earlier id={after.session} question={after.carried.at(-1)?.question} />. Its seats
          were told {carryTitles[after.carry]} of it.
        </p>
      )}
      {forkedFrom && (
        <p>
          Fork of <Earlier id={forkedFrom.session} />{' '}
          {shared === undefined
            ? 'from the start.'
            : `after ${shared === 0 ? 'the sealed round' : `round ${shared}`}. What was said before is copied: its cost and tokens count there, not here.`}{' '}
          {!readOnly && (
            <a className={linkClass} href={`/compare?a=${forkedFrom.session}&b=${session.id}`}>
              Compare the two
            </a>
          )}
        </p>
      )}
    </div>
  )
}
