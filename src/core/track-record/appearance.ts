/** One model at one table. A model's record is made of these. */

import { moveOf } from '../camps/moves.ts'
import { resolutionOf, wasRight } from '../camps/resolution.ts'
import { answerIn, type HandedIn, type Round, type Session } from '../log/state.ts'
import { type Influence, influenceOf } from '../verdict/influence.ts'
import { type Tally, tallyOf } from '../verdict/tally.ts'
import { verdictOf } from '../verdict/verdict.ts'

export type Call = Pick<HandedIn, 'status' | 'usage' | 'timing'>

export interface Appearance {
  readonly model: string
  readonly name: string
  /** Whether its sealed and its last answer were right. Null if it gave none, or nobody knows. */
  readonly sealed: boolean | null
  readonly final: boolean | null
  /** As given in the sealed round. */
  readonly confidence: number | null
  /** Changes of mind from a right to a wrong answer, and the other way round. */
  readonly rightToWrong: number
  readonly wrongToRight: number
  readonly exposures: number
  readonly adopters: number
  /** How often it answered again while another camp led, and how often it then stayed in its camp. */
  readonly opposed: number
  readonly stayed: number
  /** Everything it handed in, without the words. */
  readonly calls: readonly Call[]
}

/** A session, with what is the same for all of its seats. */
interface CountedSession {
  readonly session: Session
  readonly influence: Influence
  readonly tallies: readonly Tally[]
}

/** Who held the seat in that round. */
const holderIn = (session: Session, round: Round, seat: string): { model: string; name: string } => {
  const sitting = session.seats.find(({ id }) => id === seat)!
  return round.handedIn[seat]?.by ?? sitting
}

/** The moves of a transcript are its own claims, and say nothing about a model. */
const flipsAcross = (session: Session, rounds: readonly Round[], seat: string) => {
  const flips = verdictOf(session).ledger.filter(
    flip => flip.seat === seat && rounds.some(({ index }) => index === flip.round),
  )
  const right = resolutionOf(session)
  const known = right && !session.imported ? flips : []
  const was = (camp: string | null): boolean => camp !== null && Boolean(right?.camps.includes(camp))
  return {
    rightToWrong: known.filter(({ from, to }) => was(from) && !was(to)).length,
    wrongToRight: known.filter(({ from, to }) => !was(from) && was(to)).length,
  }
}

const stance = ({ session, tallies }: CountedSession, rounds: readonly Round[], seat: string) => {
  const asked = session.imported ? [] : rounds.filter(round => !round.sealed && answerIn(round, seat))
  const opposed = asked.filter(round => {
    const tally = tallies.findLast(one => one.round < round.index)
    const own = tally?.camps.find(camp => camp.seats.includes(seat))?.id
    return tally?.leading && own !== undefined && own !== tally.leading
  })
  const stayed = opposed.filter(round => moveOf(session, round, seat) !== 'switched')
  return { opposed: opposed.length, stayed: stayed.length }
}

const appearanceOf = (
  counted: CountedSession,
  seat: string,
  holder: { readonly model: string; readonly name: string },
): Appearance => {
  const { session, influence } = counted
  const rounds = session.roundsSoFar.filter(
    round => round.handedIn[seat] && holderIn(session, round, seat).model === holder.model,
  )
  const sealed = rounds.find(round => round.sealed)
  const last = rounds.find(round => round.index === verdictOf(session).final?.round)
  // An earlier holder's answers may have won others over, so pull counts only if the seat had one holder.
  const alone = rounds.length === session.roundsSoFar.filter(round => round.handedIn[seat]).length
  const pull = alone ? influence.pull.find(one => one.seat === seat) : undefined
  const before = session.roundsSoFar.flatMap(round => round.before.filter(one => one.seat === seat))
  const sitting = session.seats.find(({ id }) => id === seat)!
  const earlier = before
    .map(({ handedIn }) => handedIn)
    .filter(handedIn => (handedIn.by?.model ?? sitting.model) === holder.model)
  return {
    ...holder,
    sealed: wasRight(session, sealed, seat),
    final: wasRight(session, last, seat),
    confidence: answerIn(sealed, seat)?.confidence ?? null,
    ...flipsAcross(session, rounds, seat),
    exposures: pull?.exposures ?? 0,
    adopters: pull?.adopters ?? 0,
    ...stance(counted, rounds, seat),
    calls: [...earlier, ...rounds.flatMap(round => round.handedIn[seat] ?? [])].map(
      ({ status, usage, timing }) => ({ status, usage, timing }),
    ),
  }
}

export const appearancesIn = (session: Session): Appearance[] => {
  const tallies = session.roundsSoFar.map(round => tallyOf(session, round))
  const counted = { session, influence: influenceOf(session), tallies }
  return session.seats
    .filter(seat => !seat.scripted && !seat.outside)
    .flatMap(({ id }) => {
      const holders = session.roundsSoFar
        .filter(round => round.handedIn[id])
        .map(round => holderIn(session, round, id))
      const each = new Map(holders.map(({ model, name }) => [model, { model, name }]))
      return [...each.values()].map(holder => appearanceOf(counted, id, holder))
    })
}
