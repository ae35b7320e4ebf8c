/** The end of a session in a few lines: the table's answer, the verdict, who disagreed, and what to beware of. */
import type { Session } from '../log/state.ts'
import { seatOf } from '../log/state.ts'
import { plainReport } from '../verdict/plain-report.ts'
import { flags, verdictOf } from '../verdict/verdict.ts'

const dissentLines = (session: Session): string[] => {
  const { final, leading, dissent } = verdictOf(session)
  const camps = (final?.camps ?? []).filter(camp => camp.id !== leading)
  if (dissent.length === 0 && leading !== null) return []
  return camps.map(
    ({ label, seats }) => `- ${seats.map(seat => seatOf(session, seat).name).join(', ')}: ${label}`,
  )
}

/** Markdown, with the words of models as they are. */
export const answerText = (session: Session): string => {
  const { answer, summary, counterpoint } = session.report ?? plainReport(session)
  const verdict = verdictOf(session)
  const positions = dissentLines(session)
  const isText = session.question.format === 'text'
  return [
    answer,
    `**${verdict.line}**`,
    ...(isText ? [summary] : []),
    ...(positions.length > 0
      ? [`${verdict.leading === null ? 'Positions' : 'Dissent'}:\n${positions.join('\n')}`]
      : []),
    ...(counterpoint ? [`Counterpoint: ${counterpoint}`] : []),
    ...verdict.flags.map(flag => `Note (${flag}): ${flags[flag]}`),
  ].join('\n\n')
}
