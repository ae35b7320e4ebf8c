/** Finds where a report contradicts the verdict: the moderator words the numbers, it does not make them. */
import { type CountStatement, countStatementsIn } from './count-statements.ts'
import type { Tally } from './tally.ts'
import type { Verdict } from './verdict.ts'

/** The tallies that a report may speak of; where the table herded, only the sealed one counts. */
const talliesOf = ({ sealed, final, flags }: Verdict): Tally[] =>
  (flags.includes('herding') ? [sealed] : [sealed, final]).filter(tally => tally !== null)

const campSizes = (tallies: readonly Tally[]): number[] =>
  tallies.flatMap(tally => tally.camps.map(camp => camp.seats.length))

/** Every number of seats that answered otherwise than the leading camp, or than any camp where none leads. */
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

/** Whether so many seats can have done what the claim says. */
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

/** Everybody agreed; `answering`: everybody that answered did. */
const isWhole = (verdict: Verdict, answering: boolean, count: number | undefined): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ agree, answered, of }) => {
    const counted = count === undefined || count === agree
    return counted && (agree === of || (agree === answered && (answering || count === answered)))
  })

const hasMajority = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ agree, of }) => agree * 2 > of)

const isTied = (verdict: Verdict): boolean =>
  [verdict, ...talliesOf(verdict)].some(({ level }) => level === 'tie' || level === 'split')

const holds = (verdict: Verdict, claim: CountStatement): boolean => {
  switch (claim.type) {
    case 'count': {
      const answered = talliesOf(verdict).map(tally => tally.answered)
      const whole = claim.whole === undefined || [verdict.of, ...answered].includes(claim.whole)
      return whole && isTrueCount(verdict, claim)
    }
    case 'everybody':
      return isWhole(verdict, claim.answering, claim.count)
    case 'majority':
      return hasMajority(verdict)
    case 'tie':
      return isTied(verdict)
    default:
      return claim satisfies never
  }
}

/** What is wrong with the report's numbers, in words; empty where nothing is. */
export const contradictions = (report: string, verdict: Verdict): string[] =>
  countStatementsIn(report)
    .filter(claim => !holds(verdict, claim))
    .map(claim => `it says "${claim.said}", the verdict is "${verdict.line}"`)
