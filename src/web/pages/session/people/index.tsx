/** Under the table, while a session runs: a word of the asker, and a seat for one more person. */
import { stageOf } from '../../../../core/progress/steps.ts'
import { useSeen, useStage } from '../stage.ts'
import { Join } from './join.tsx'
import { Say } from './say.tsx'

export default function PeoplePanel() {
  const { live, session } = useStage()
  const latest = live.state().session ?? session
  // While the report is written, no round follows that a word or a person could be part of.
  const over = stageOf(useSeen(latest)) === 'report'
  return (
    <section aria-label="What you can add" className="space-y-4 border-t border-line pt-4 print:hidden">
      <Say session={latest} over={over} />
      <Join id={latest.id} over={over} />
    </section>
  )
}
