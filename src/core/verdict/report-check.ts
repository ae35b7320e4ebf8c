/** Finds what in a report contradicts the verdict: the moderator may mention the counts, but code makes them. */
import { type CountStatement, countStatementsIn } from './count-statements.ts'
import type { Tally } from './tally.ts'
import type { Verdict } from './verdict.ts'

/** The tallies that a report may mention. */
const talliesOf = ({ sealed, final }: Verdict): Tally[] => [sealed, final].filter(tally => tally !== null)

const campSizes = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(tally => tally.camps.map(camp => camp.seats.length))

/** Every number of seats that may be said to dissent: from the leading camp, or from any camp if none leads. */
const dissents = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(({ camps, leading, agree, answered }) => [
    answered - agree,
    ...camps.filter(camp => camp.id !== leading).map(camp => camp.seats.length),
  ])

const absences = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(({ silent, abstained }) => [
    silent.length,
    abstained.length,
    silent.length + abstained.length,
  ])

/** Whether that many seats did what the statement says. */
const isTrueCount = (verdict: Verdict, { about, part }: CountStatement & { type: 'count' }): boolean => {
  const tallies = talliesOf(verdict)
  switch (about) {
    case 'agree':
      return [verdict.agree, ...campSizes(tallies).filter(size => size > 1)].includes(part)
    case 'dissent':
      return [verdict.dissent.length, ...dissents(tallies)].includes(part)
    case 'change':
      return part <= verdict.flips
    case 'absence':
      return absences(tallies).includes(part)
    case 'answer':
      return tallies.some(tally => tally.answered === part)
    case 'side':
      return [0, ...campSizes(tallies), ...dissents(tallies)].includes(part)
    case 'anything':
      return [
        verdict.of,
        verdict.flips,
        ...tallies.map(tally => tally.answered),
        ...campSizes(tallies),
        ...dissents(tallies),
        ...absences(tallies),
      ].includes(part)
    default:
      return about satisfies never
  }
}

/** Everybody agreed. `answering`: everybody that answered did. */
const isWhole = (verdict: Verdict, answering: boolean, count: number | undefined): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ agree, answered, of }) => {
    const counted = count === undefined || count === agree
    return counted && (agree === of || (agree === answered && (answering || count === answered)))
  })

const hasMajority = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ agree, of }) => agree * 2 > of)

const isTied = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ level }) => level === 'tie' || level === 'split')

const holds = (verdict: Verdict, statement: CountStatement): boolean => {
  switch (statement.type) {
    case 'count': {
      const answered = talliesOf(verdict).map(tally => tally.answered)
      const whole = statement.whole === undefined || [verdict.of, ...answered].includes(statement.whole)
      return whole && isTrueCount(verdict, statement)
    }
    case 'everybody':
      return isWhole(verdict, statement.answering, statement.count)
    case 'majority':
      return hasMajority(verdict)
    case 'tie':
      return isTied(verdict)
    default:
      return statement satisfies never
  }
}

/** What is wrong with the report's numbers, in words. Empty if nothing is. */
export const contradictions = (report: string, verdict: Verdict): string[] =>
  countStatementsIn(report)
    .filter(statement => !holds(verdict, statement))
    .map(statement => `it says "${statement.said}", the verdict is "${verdict.line}"`)
