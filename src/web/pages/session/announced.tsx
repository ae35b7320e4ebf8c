/** Says the verdict to those who don't see it appear: the region is there from the beginning, and gets its words once. */
import type { Session } from '../../../core/log/state.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { endingOf } from '../../../core/wording/ending-words.ts'
import { levelTitle } from '../../../core/wording/level-words.ts'
import { shortVerdictLine } from '../../../core/wording/verdict-line.ts'

const wordsOf = (session: Session): string => {
  if (!session.outcome) return ''
  const verdict = verdictOf(session)
  const ending = endingOf(session)
  const said = ending && verdict.level === 'no-quorum' ? ending.words : shortVerdictLine(session, verdict)
  const level = verdict.level && !session.imported ? `${levelTitle(verdict.level)}. ` : ''
  const answer = verdict.level === 'no-quorum' ? '' : (session.report?.answer ?? '')
  return `Verdict: ${level}${said}. ${answer}`.trim()
}

export const Announced = ({ session }: { session: Session }) => (
  <p role="status" aria-live="polite" aria-label="Verdict" className="sr-only print:hidden">
    {wordsOf(session)}
  </p>
)
