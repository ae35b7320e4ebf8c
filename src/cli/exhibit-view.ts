/** What a round holds besides answers: figures of the group, stakes, advocates' turns, a judge's rulings. */
import { exhibitsOf, namesIn } from '../core/exhibits.ts'
import type { Round, Session } from '../core/state.ts'
import { clean, oneLine } from './cells.ts'
import { hanging, type Look } from './look.ts'

export const exhibitLines = (session: Session, round: Round, look: Look): string[] =>
  exhibitsOf(round, namesIn(session, round)).flatMap(({ who, words }) =>
    hanging(`${oneLine(who)}:`, clean(words), 1, look, look.paint.notable),
  )
