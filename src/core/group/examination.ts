/** Cross-examination: who speaks for which camp, what they said, and how a judge without a seat ruled. */
import type { Camp } from '../camps/camp.ts'
import { wordingOf } from '../errors.ts'
import { answerIn, type Round, type Session, type Statement } from '../log/state.ts'
import { hash } from '../random.ts'
import { tallyOf } from '../verdict/tally.ts'

export interface Side {
  readonly camp: Camp
  readonly advocate: string | null
}

/** The members in the order in which they would speak: the one that was surest first, equals by the seed. */
const speakersOf = (session: Session, round: Round, { seats }: Camp): string[] => {
  const sureness = (seat: string): number => answerIn(round, seat)?.confidence ?? -1
  const order = (seat: string): number => hash(`${session.seed} advocate ${seat}`)
  return [...seats].sort((one, other) => sureness(other) - sureness(one) || order(one) - order(other))
}

/** The first member that hasn't failed in an earlier turn. Null: nobody is left. */
const advocateOf = (session: Session, round: Round, camp: Camp): string | null => {
  const failed = new Set((round.statements ?? []).flatMap(({ error, seat }) => (error ? [seat] : [])))
  return speakersOf(session, round, camp).find(seat => !failed.has(seat)) ?? null
}

/** The two largest camps with their advocates. Undefined if there aren't two. The seed decides who begins. */
export const sidesOf = (session: Session, round: Round): readonly [Side, Side] | undefined => {
  const [first, second] = tallyOf(session, round)
    .camps.slice(0, 2)
    .map((camp): Side => ({ camp, advocate: advocateOf(session, round, camp) }))
  if (!first || !second) return undefined
  return hash(`${session.seed} who begins`) % 2 === 0 ? [first, second] : [second, first]
}

/** Each side speaks once for every open round that is allowed. */
export const turnsIn = ({ rounds }: Pick<Session, 'rounds'>): number => 2 * rounds

/** An advocate was convinced, so there is nothing left to argue. */
export const isConceded = ({ statements = [] }: Pick<Round, 'statements'>): boolean =>
  statements.some(({ concedes }) => concedes)

/** Who speaks next after a round. Undefined if nobody does. */
export const nextTurn = (
  session: Session,
  round: Round,
): { readonly turn: number; readonly seat: string } | undefined => {
  if (isConceded(round)) return undefined
  const turn = round.statements?.length ?? 0
  const seat = sidesOf(session, round)?.[turn % 2]?.advocate
  return turn < turnsIn(session) && seat ? { turn, seat } : undefined
}

/** A ruling counts only if it is the same in both orders. Undefined: nobody judged, or a judge failed. */
export const rulingOf = (
  round: Pick<Round, 'rulings'>,
): { readonly camp: string | null; readonly consistent: boolean } | undefined => {
  const [one, other] = round.rulings ?? []
  if (!one || !other || !('words' in one) || !('words' in other)) return undefined
  return { camp: one.camp === other.camp ? one.camp : null, consistent: one.camp === other.camp }
}

/** "The judge ruled for “Rail” in both orders." */
export const rulingText = (
  round: Pick<Round, 'rulings'>,
  labelOf: (camp: string) => string,
): string | undefined => {
  const ruling = rulingOf(round)
  if (!ruling) return undefined
  if (!ruling.consistent)
    return 'The judge ruled differently when it read the two sides in the other order, so its ruling does not count.'
  return ruling.camp === null
    ? 'The judge found in both orders that neither case holds better.'
    : `The judge ruled for “${labelOf(ruling.camp)}” in both orders.`
}

/** What an advocate said, or why it said nothing. */
export const statementText = (statement: Statement): string => {
  if (statement.error)
    return `said nothing (${wordingOf(statement.error.kind).short}): ${statement.error.message}`
  const { argument, question, concedes } = statement
  return [argument, ...(question ? [`Asks: ${question}`] : []), ...(concedes ? [concession] : [])].join(
    '\n\n',
  )
}

/** What every face says of an advocate that was convinced. */
export const concession = 'Concedes: the other side is right.'
