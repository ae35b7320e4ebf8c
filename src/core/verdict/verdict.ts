/** The verdict: every number that the table shows, computed here and nowhere else. */
import { givenIn } from '../camps/camp.ts'
import { type Flip, flipsOf } from '../camps/moves.ts'
import { isClosed, latestRound, type Round, roundAt, type Session, seatsIn } from '../log/state.ts'
import { importedLevel, verdictLine } from '../wording/verdict-line.ts'
import { type Flag, flagsOf, isHerding } from './flags.ts'
import { type OtherRule, otherRules, ruleOf } from './other-rules.ts'
import { type PeopleApart, peopleApart } from './people.ts'
import { compatibleWith, hasQuorum, type Level, type Tally, tallyOf } from './tally.ts'

export { type Flag, flags } from './flags.ts'

export interface Verdict {
  readonly level: Level | null
  readonly agree: number
  readonly of: number
  readonly answered: number
  readonly leading: string | null
  /** Seats that answered and are not in the leading camp. */
  readonly dissent: readonly string[]
  readonly sealed: Tally | null
  readonly final: Tally | null
  /** How often a seat left one camp for another. */
  readonly flips: number
  readonly ledger: readonly Flip[]
  /** The rule that decided the last vote: `majority`, `schulze` or `median`. Null: nobody counted. */
  readonly rule: string | null
  /** Rules that would have decided otherwise. */
  readonly others: readonly OtherRule[]
  readonly flags: readonly Flag[]
  /** People and models counted apart, in the vote that counts. Absent if no person holds a seat. */
  readonly apart?: PeopleApart
  readonly line: string
}

/**
 * A round that isn't closed isn't a vote: while it is being answered, or after a crash, the last closed round counts.
 * A session that was stopped is judged by its last round with a quorum.
 */
const finalRound = (session: Session): Round | undefined => {
  const last = session.roundsSoFar.at(-1)
  if (!session.stopped) return session.roundsSoFar.findLast(round => isClosed(session, round)) ?? last
  const quorate = (round: Round): boolean =>
    hasQuorum(givenIn(session, round).length, seatsIn(session, round.index).length)
  return session.roundsSoFar.findLast(quorate) ?? last
}

/** A state never changes, so its verdict is counted only once. */
const remembered = new WeakMap<Session, Verdict>()

export const verdictOf = (session: Session): Verdict => {
  const verdict = remembered.get(session) ?? countedVerdict(session)
  remembered.set(session, verdict)
  return verdict
}

const countedVerdict = (session: Session): Verdict => {
  const last = finalRound(session)
  const sealedRound = session.roundsSoFar.find(round => round.sealed)
  const final = last ? tallyOf(session, last) : null
  const sealed = sealedRound ? tallyOf(session, sealedRound) : null
  const ledger = flipsOf(session).filter(flip => last !== undefined && flip.round <= last.index)
  const herding = !session.imported && sealed !== null && isHerding(session, ledger, final?.leading ?? null)
  const others = otherRules(session, { sealed, final })
  const surprise = others.some(({ rule }) => rule === 'surprisingly-popular')
  const apart = peopleApart(session, final)
  const claimed = session.imported && importedLevel(session.imported.line, session.seats.length)
  return {
    level: claimed ? claimed.level : final ? final.level : 'no-quorum',
    agree: claimed ? claimed.agree : (final?.agree ?? 0),
    of: last && !claimed ? seatsIn(session, last.index).length : session.seats.length,
    answered: final?.answered ?? 0,
    leading: claimed ? null : (final?.leading ?? null),
    dissent: claimed || !final?.leading ? [] : dissentOf(final),
    sealed,
    final,
    flips: ledger.length,
    ledger,
    rule: ruleOf(session),
    others,
    flags: flagsOf(session, { sealed, final, ledger, herding, surprise, leading: final?.leading ?? null }),
    ...(apart && { apart }),
    line: session.imported?.line ?? verdictLine(session, final, herding ? sealed : null),
  }
}

/** The round that faces show: once the session is over, the one that was counted; until then, the latest. */
export const shownRound = (session: Session): Round | undefined => {
  const counted = session.outcome ? verdictOf(session).final : null
  return counted ? roundAt(session, counted.round) : latestRound(session)
}

/** The seats of the leading camp, if one leads and more than one is in it. */
export const agreeing = (session: Session): readonly string[] => {
  const { leading, final } = verdictOf(session)
  const camp = session.outcome && final?.camps.find(({ id }) => id === leading)
  return camp && camp.seats.length > 1 ? camp.seats : []
}

/** The seats that disagree with a majority. Answers that leave room for each other are no quarrel. */
export const disagreeing = (session: Session): readonly string[] => {
  const { level, dissent, final, leading } = verdictOf(session)
  const isAgreed = level === 'supermajority' || level === 'majority'
  return isAgreed && final && leading !== null && compatibleWith(final, leading).length === 0 ? dissent : []
}

/** The tally that the verdict is based on: the last one, even if the table herded (decision 29). */
export const decidingTally = ({ final }: Verdict): Tally | null => final

const dissentOf = (tally: Tally): string[] =>
  tally.camps.filter(camp => camp.id !== tally.leading).flatMap(camp => [...camp.seats])
