/** What a round holds besides answers: figures of the group, stakes, advocates' turns, a judge's rulings. */
import { groupingOf } from '../core/camps.ts'
import { type Round, type Session, seatOf } from '../core/state.ts'
import { exhibitsOf, type Names } from '../exports/exhibits.ts'
import { clean, oneLine } from './cells.ts'
import { hanging, type Look } from './look.ts'

export const namesIn = (session: Session, round: Round): Names => ({
  unit: session.question.unit,
  seat: id => seatOf(session, id).name,
  camp: id => groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id,
})

export const exhibitLines = (session: Session, round: Round, look: Look): string[] =>
  exhibitsOf(round, namesIn(session, round)).flatMap(({ who, words }) =>
    hanging(`${oneLine(who)}:`, clean(words), 1, look, look.paint.notable),
  )
