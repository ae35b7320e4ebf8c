/** What happens between rounds: figures of the group, stakes, advocates' turns, a judge's rulings. */
import type { Round, Session } from '../../core/log/state.ts'
import { betweenRoundsOf, namesIn } from '../../core/wording/between-rounds.ts'
import { clean, oneLine } from '../terminal/cells.ts'
import { hanging, type Look } from '../terminal/look.ts'

export const betweenRoundsLines = (session: Session, round: Round, look: Look): string[] =>
  betweenRoundsOf(round, namesIn(session, round)).flatMap(({ who, words }) =>
    hanging(`${oneLine(who)}:`, clean(words), 1, look, look.paint.notable),
  )
