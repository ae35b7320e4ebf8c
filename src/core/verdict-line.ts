/** The verdict in one line that a person reads: "5 of 6 models agreed". */
import type { Camp } from './camp.ts'
import { numberText } from './camps.ts'
import { type Session, seatOf } from './state.ts'
import { absenceOf, type Level, type Tally } from './tally.ts'

const models = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

/** "Mistral Medium 3.1 was silent (timed out)", for every seat that is missing. */
export const absences = (session: Session, tally: Tally): string => {
  const name = (seat: string): string => seatOf(session, seat).name
  return [
    ...tally.silent.map(seat => `${name(seat)} was silent (${absenceOf(session, tally.round, seat)})`),
    ...tally.abstained.map(seat => `${name(seat)} abstained`),
  ].join(', ')
}

const shortLabel = (camp: Camp): string =>
  camp.label.length > 60 ? `“${camp.label.slice(0, 57)}…”` : camp.label

const counted = (camps: readonly Camp[]): string =>
  camps.map(camp => `${camp.seats.length} for ${shortLabel(camp)}`).join(', ')

const combined = (session: Session, tally: Tally): string => {
  if (tally.ranking) return `; combined: ${tally.ranking.join(' > ')}`
  if (tally.median !== undefined) return `; median ${numberText(tally.median, session.question.unit)}`
  return ''
}

const agreement = (session: Session, tally: Tally): string => {
  const { agree, of, answered, camps } = tally
  switch (tally.level) {
    case 'unanimous':
    case 'unanimous-with-caveats': {
      const caveats = camps.flatMap(camp => camp.qualified).length
      if (of === 1) return 'The only model answered'
      return `All ${models(of)} agreed${caveats > 0 ? `, ${caveats} with caveats` : ''}`
    }
    case 'supermajority':
    case 'majority':
      return agree === answered
        ? `All ${models(answered)} that answered agreed`
        : `${agree} of ${models(of)} agreed`
    case 'plurality':
      return `No majority: ${counted(camps)}${combined(session, tally)}`
    case 'tie':
      return `Tie: ${counted(camps)}${combined(session, tally)}`
    case 'split':
      return `Split: ${models(answered)}, ${camps.length} different answers${combined(session, tally)}`
    case 'no-quorum':
      return `No quorum: ${answered} of ${models(of)} answered`
    default:
      return tally.level satisfies never
  }
}

export const verdictLine = (session: Session, tally: Tally | null, herding: boolean): string => {
  if (!tally) return `No quorum: 0 of ${models(session.seats.length)} answered`
  const missing = absences(session, tally)
  const sealed = herding ? ' in the sealed vote; later changes of mind cite nothing that checks out' : ''
  return `${agreement(session, tally)}${sealed}${missing ? `; ${missing}` : ''}`
}

/** What the line of an imported transcript claims, where it is one that we know. */
export const importedLevel = (line: string): { level: Level | null; agree: number } => {
  const all = /^All (\d+) models? agreed(, \d+ with caveats)?$/.exec(line)
  if (all) return { level: all[2] ? 'unanimous-with-caveats' : 'unanimous', agree: Number(all[1]) }
  const some = /^(\d+) of (\d+) models? agreed/.exec(line)
  if (!some) return { level: null, agree: 0 }
  const [agree, of] = [Number(some[1]), Number(some[2])]
  if (agree === of) return { level: 'unanimous', agree }
  if (agree * 3 >= of * 2) return { level: 'supermajority', agree }
  return { level: agree * 2 > of ? 'majority' : 'plurality', agree }
}
