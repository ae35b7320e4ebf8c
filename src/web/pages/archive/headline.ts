/** What a card or a column leads with, and how many stand behind it. */
import type { FoundReply } from '../../../api/index.ts'
import type { Session } from '../../../core/log/state.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { lineBeside } from '../../../core/wording/level-words.ts'
import { shortVerdictLine } from '../../../core/wording/verdict-line.ts'

/** A median or a common order is the answer of all, whatever most of them said. */
const isCombined = (session: Session): boolean => {
  const { final } = verdictOf(session)
  return final?.median !== undefined || final?.figure !== undefined || final?.ranking !== undefined
}

/** Alone, "A hot dog is not a sandwich." would read like the answer of a table that has none. */
export const answerAlone = (session: Session): string | undefined => {
  const answer = session.report?.answer
  if (answer === undefined || session.imported || verdictOf(session).level !== 'plurality') return answer
  return isCombined(session) || /\bmajority\b/i.test(answer)
    ? answer
    : `Leading, without a majority: ${answer}`
}

/** The positions of an open question are sentences: the line of a divided table would be all of them in one. */
export const lineOf = ({ level, line }: FoundReply, session: Session | undefined): string => {
  if (session?.question.format === 'open') return shortVerdictLine(session, verdictOf(session))
  const beside = lineBeside(level, line ?? '')
  return session && level === 'plurality'
    ? beside.replace(/^\d+(?= for )/, count => `${count} of ${verdictOf(session).of}`)
    : beside
}
