/** Says what happens to those who don't see it: changes of mind and silent seats as they come, and then the verdict, once. */
import { standingsIn } from '../../../core/camps/standings.ts'
import type { Session } from '../../../core/log/state.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { endingOf } from '../../../core/wording/ending-words.ts'
import { handedInWords } from '../../../core/wording/handed-in.ts'
import { levelTitle } from '../../../core/wording/level-words.ts'
import { shortVerdictLine } from '../../../core/wording/verdict-line.ts'
import { useStage } from './stage.ts'
import { changeOf } from './wording.ts'

const wordsOf = (session: Session): string => {
  if (!session.outcome) return ''
  const verdict = verdictOf(session)
  const ending = endingOf(session)
  const said = ending && verdict.level === 'no-quorum' ? ending.words : shortVerdictLine(session, verdict)
  const level = verdict.level && !session.imported ? `${levelTitle(verdict.level, verdict.of === 1)}. ` : ''
  const answer = verdict.level === 'no-quorum' ? '' : (session.report?.answer ?? '')
  return `Verdict: ${level}${said}. ${answer}`.trim()
}

/** Every change of mind and every seat that failed, in the order of the rounds. */
const News = ({ session }: { session: Session }) => {
  const { numbers } = useStage()
  const news = session.roundsSoFar.flatMap(round =>
    standingsIn(session, round, numbers).flatMap(standing => {
      const { seat, handedIn } = standing
      const words =
        handedIn?.status === 'silent'
          ? `silent, ${handedInWords(session.question, handedIn)}`
          : changeOf(standing)
      return words ? [{ id: `${round.index} ${seat.id}`, words: `${seat.name}: ${words}` }] : []
    }),
  )
  return (
    <div role="log" aria-label="Changes and failures" className="sr-only print:hidden">
      {news.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}

/** Both regions are there before they have words: otherwise nobody would be told. */
export const Announced = ({ session }: { session: Session }) => (
  <>
    <p role="status" aria-live="polite" aria-label="Verdict" className="sr-only print:hidden">
      {wordsOf(session)}
    </p>
    {!session.outcome && <News session={session} />}
  </>
)
