/** Influence: who moved whom, and how strongly each seat pulls others into its camp. */
import { campIds } from '../camps/camps.ts'
import { flipsOf } from '../camps/moves.ts'
import { answerIn, type Round, roundAt, roundBefore, type Session } from '../log/state.ts'
import { grantsOf } from './report-moves.ts'
import { shownRound } from './verdict.ts'

/** A seat that changed its mind, and the peer that it credits for it. */
export interface Moved {
  readonly seat: string
  readonly by: string
  readonly round: number
  readonly quote: string
  /** Whether the quoted words are in that peer's answer. If not, nobody knows what moved the seat. */
  readonly verified: boolean
}

export interface Pull {
  readonly seat: string
  /** How often a peer from another camp answered again after this seat's answer could be read. */
  readonly exposures: number
  /** How often that peer then joined the camp that this seat had been in. */
  readonly adopters: number
  /** How many of those credit this seat with words that are in its answer. */
  readonly credited: number
}

/** A seat that stayed in its camp, and granted a peer's point: its words stand in the peer's answer. */
export type Concession = Moved

export interface Influence {
  readonly moved: readonly Moved[]
  /** Points that seats granted each other without changing their mind. */
  readonly granted: readonly Concession[]
  /** Strongest first, without the seats that nobody could have followed. */
  readonly pull: readonly Pull[]
}

/** An open round: the camp of each seat before it and after it. */
interface Passage {
  readonly round: Round
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

const passageOf = (session: Session, round: Round): Passage => {
  const byRound = new Map(session.roundsSoFar.map(one => [one.index, campIds(session, one)]))
  const before = session.seats.flatMap(({ id }): [string, string][] => {
    const last = roundBefore(session, round.index, id)
    const camp = last && byRound.get(last.index)?.get(id)
    return camp === undefined ? [] : [[id, camp]]
  })
  return { round, before: new Map(before), after: campIds(session, round) }
}

const pullIn = ({ round, before, after }: Passage, seat: string): Omit<Pull, 'seat'> => {
  const own = before.get(seat)
  const peers = own === undefined ? [] : [...before].filter(([peer, camp]) => peer !== seat && camp !== own)
  const exposed = peers.map(([peer]) => peer).filter(peer => after.has(peer))
  const adopters = exposed.filter(peer => after.get(peer) === own)
  const credited = adopters.filter(peer => {
    const credit = answerIn(round, peer)?.credit
    return credit?.verified && credit.seat === seat
  })
  return { exposures: exposed.length, adopters: adopters.length, credited: credited.length }
}

const pullOf = (passages: readonly Passage[], seat: string): Pull =>
  passages
    .map(passage => pullIn(passage, seat))
    .reduce<Pull>(
      (sum, one) => ({
        seat,
        exposures: sum.exposures + one.exposures,
        adopters: sum.adopters + one.adopters,
        credited: sum.credited + one.credited,
      }),
      { seat, exposures: 0, adopters: 0, credited: 0 },
    )

/** Adopters per exposure. */
export const pullShare = ({ adopters, exposures }: Pick<Pull, 'adopters' | 'exposures'>): number =>
  exposures === 0 ? 0 : adopters / exposures

/** Points that a seat granted while its answer stood, if it credits words that were found. */
export const concessionsOf = (session: Session): Concession[] =>
  grantsOf(session).flatMap(({ seat, round, credit }) => {
    const points = answerIn(roundAt(session, round), seat)?.points?.filter(({ moved }) => moved) ?? []
    const granted = points.length > 0 ? points : credit ? [credit] : []
    return granted
      .filter(({ verified }) => verified)
      .map(({ seat: by, quote }) => ({ seat, by, round, quote, verified: true }))
  })

/**
 * An imported transcript lacks the answers that seats had read, so it says nothing about influence. Texts take no side
 * that others could join. Once the session is over, a round that didn't count says nothing either.
 */
export const influenceOf = (session: Session): Influence => {
  if (session.imported || session.question.format === 'text') return { moved: [], granted: [], pull: [] }
  const last = shownRound(session)?.index ?? 0
  const moved = flipsOf(session).flatMap(({ seat, round, credit }): Moved[] =>
    credit && round <= last
      ? [{ seat, by: credit.seat, round, quote: credit.quote, verified: credit.verified }]
      : [],
  )
  const passages = session.roundsSoFar
    .filter(({ sealed, index }) => !sealed && index <= last)
    .map(round => passageOf(session, round))
  const pull = session.seats
    .map(seat => pullOf(passages, seat.id))
    .filter(({ exposures }) => exposures > 0)
    .sort((one, other) => pullShare(other) - pullShare(one) || other.credited - one.credited)
  return { moved, granted: concessionsOf(session).filter(({ round }) => round <= last), pull }
}
