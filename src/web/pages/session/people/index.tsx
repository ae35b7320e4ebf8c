/** Under the table, while a session runs: a word of the asker, the people at the table, and a seat for one more. */
import { useStage } from '../stage.ts'
import { People } from './links.tsx'
import { Say } from './say.tsx'

export default function PeoplePanel() {
  const { live, session } = useStage()
  const latest = live.state().session ?? session
  const over = latest.outcome !== undefined || latest.stopped !== undefined
  return (
    <section aria-label="What you can add" className="space-y-4 border-t border-line pt-4 print:hidden">
      <Say session={latest} over={over} />
      <People session={latest} over={over} />
    </section>
  )
}
