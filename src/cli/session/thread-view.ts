/** The thread that a session belongs to: what it follows, and what follows it. */
import type { Session } from '../../core/log/state.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { knownThread, type ThreadSession, threadTexts, threadTitle } from '../../core/wording/thread-words.ts'
import { oneLine } from '../terminal/cells.ts'
import { type Look, paragraph, rule } from '../terminal/look.ts'

/** `thread`: as the archive knows it. Absent: the session comes from a file, and only its log is known. */
export const threadView = (
  session: Session,
  thread: readonly ThreadSession[] | undefined,
  look: Look,
): string[] => {
  const line = session.outcome ? verdictOf(session).line : null
  const whole = thread ?? knownThread({ ...session, question: session.question.text, line })
  const lines = threadTexts(whole, session.id)
  if (lines.length === 0) return []
  return [
    '',
    rule(threadTitle, look),
    ...lines.flatMap(({ depth, text }) => paragraph(oneLine(text), 1 + 2 * Math.min(depth, 10), look)),
  ]
}
