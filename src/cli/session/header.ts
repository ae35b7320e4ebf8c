/** The head of a session: the question and the table, before anything is said. */
import type { Session } from '../../core/log/state.ts'
import { protocolNamed } from '../../protocols/index.ts'
import { clean, oneLine } from '../terminal/cells.ts'
import { counted, dollars } from '../terminal/figures.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'

/** A long question was written by the person who reads this: its beginning is enough. */
const mostLines = 8

const questionLines = (session: Session, look: Look): string[] => {
  const text = clean(session.question.text.trim())
  const lines = paragraph(text, 1, look, look.paint.strong)
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines), look.paint.faint(` … ${counted(text.length, 'character')} in all`)]
}

const protocolLabel = (id: string): string => {
  try {
    return protocolNamed(id).label
  } catch {
    return oneLine(id)
  }
}

const settings = (session: Session): string =>
  [
    counted(session.seats.length, 'seat'),
    protocolLabel(session.protocol),
    session.rounds > 0 && `up to ${counted(session.rounds, 'open round')}`,
    session.names === 'shown' && 'names shown',
    session.moderator ? `moderator ${oneLine(session.moderator)}` : 'no moderator',
    session.budget?.usd !== undefined && `at most ${dollars(session.budget.usd)}`,
    session.budget?.tokens !== undefined && `at most ${counted(session.budget.tokens, 'token')}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** What a reader must know before believing anything below. */
const warnings = (session: Session): string[] => [
  ...(session.seats.some(seat => seat.scripted)
    ? ['Scripted: these replies were written in advance. No model is asked.']
    : []),
  ...(session.imported
    ? ['Imported: earlier rounds are not in the transcript, so moves and agreement are its own claims.']
    : []),
]

export const header = (session: Session, look: Look): string[] => {
  const { options, attachments, format, unit } = session.question
  const listed = options.map(oneLine).join(' | ')
  return [
    '',
    ...questionLines(session, look),
    ...(options.length > 0 ? hanging(format === 'ranking' ? 'Rank:' : 'Options:', listed, 1, look) : []),
    ...(unit ? [` In ${oneLine(unit)}`] : []),
    ...attachments.map(one => ` + ${oneLine(one.name)}, ${counted(one.text.length, 'character')}`),
    ...paragraph(settings(session), 1, look, look.paint.faint),
    ...warnings(session).flatMap(text => paragraph(text, 1, look, look.paint.notable)),
    '',
  ]
}
