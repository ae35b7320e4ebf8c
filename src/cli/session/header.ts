/** The head of a session: the question and the table, before any answer. */
import type { Session } from '../../core/log/state.ts'
import { exhibitSize } from '../../core/wording/exhibit-words.ts'
import { dollars } from '../../core/wording/money.ts'
import { counted } from '../../core/wording/numbers.ts'
import { formatNote, importedNote, instructionNote, seatNotes } from '../../core/wording/session-title.ts'
import { sourceHead } from '../../core/wording/source-words.ts'
import { linkNotes } from '../../core/wording/thread-words.ts'
import { protocolNamed } from '../../protocols/index.ts'
import { clean, cut, oneLine } from '../terminal/cells.ts'
import { type Look, paragraph } from '../terminal/look.ts'

/** The reader wrote the question: if it is long, its beginning is enough. */
const mostLines = 8

/** Cells. A chat program's own instruction can be as long as a page. */
const longestInstruction = 400

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
  ...seatNotes(session.seats),
  ...(session.imported ? [importedNote] : []),
  ...linkNotes(session),
]

export const header = (session: Session, look: Look): string[] => {
  const { attachments } = session.question
  const note = formatNote(session.question)
  const instruction = instructionNote(session.question)
  return [
    '',
    ...questionLines(session, look),
    ...(note ? paragraph(oneLine(note), 1, look) : []),
    ...(instruction ? paragraph(cut(oneLine(instruction), longestInstruction), 1, look) : []),
    ...attachments.map(
      (one, index) =>
        ` + ${session.citations ? `[${index + 1}] ` : ''}${oneLine(one.name)}, ${exhibitSize(one)}`,
    ),
    ...(session.sources ?? []).map(
      (one, index) => ` + ${oneLine(sourceHead(one, index, attachments.length))}, ${oneLine(one.address)}`,
    ),
    ...paragraph(settings(session), 1, look, look.paint.faint),
    ...warnings(session).flatMap(text => paragraph(oneLine(text), 1, look, look.paint.notable)),
    '',
  ]
}
