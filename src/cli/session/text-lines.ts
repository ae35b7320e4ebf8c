/** The texts that seats wrote: whole, wrapped, and only once if a seat keeps its text. */
import { moveOf } from '../../core/camps/moves.ts'
import { answerIn, type Round, type Session } from '../../core/log/state.ts'
import { clean } from '../terminal/cells.ts'
import { type Look, paragraph } from '../terminal/look.ts'

export const textLines = (session: Session, round: Round, seat: string, look: Look): string[] => {
  const text = answerIn(round, seat)?.text?.trim()
  if (!text || moveOf(session, round, seat) === 'held') return []
  return ['', ...paragraph(clean(text), 4, look), '']
}
