/** Explains what one sees while the tour runs: one caption for each step. */

import { Link } from '@tanstack/react-router'
import type { Session } from '../../core/session.ts'
import { stageOf } from '../../words/stages.ts'
import { useSeen, useStage } from './stage.tsx'

const captions = [
  {
    title: 'Sealed round',
    words: 'All seats answer at the same time, and none sees another. You can read along below.',
  },
  {
    title: 'Reading',
    words: 'The moderator reads the answers and finds those that say the same. Code counts them.',
  },
  {
    title: 'Open round',
    words:
      'Each seat reads the others without their names, says which points hold, and keeps its answer or changes it.',
  },
  {
    title: 'Report',
    words:
      'All seats have answered, and code has counted. Now the moderator writes the report; it can’t change the counts.',
  },
  {
    title: 'Verdict',
    words:
      'See who agrees, who changed their minds and whose words did it. Press a seat to read what it said.',
  },
] as const

export const tourStep = (session: Session): number => {
  if (session.outcome) return 4
  const stage = stageOf(session)
  if (stage === 'report') return 3
  if (stage === 'reading') return 1
  return session.roundsSoFar.length < 2 ? 0 : 2
}

const TourCaption = () => {
  const session = useSeen(useStage().session)
  const step = tourStep(session)
  const { title, words } = captions[step]!
  return (
    <aside
      aria-label="Tour"
      className="rounded-lg border border-accent bg-wash px-4 py-3 text-sm print:hidden"
    >
      <p role="status">
        <strong className="font-semibold">{title}.</strong> {words}{' '}
        {step === captions.length - 1 && (
          <Link to="/" className="text-accent underline underline-offset-2">
            Ask a question of your own
          </Link>
        )}
      </p>
    </aside>
  )
}

export default TourCaption
