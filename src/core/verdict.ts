/** The verdict: every number that the table shows, computed here and nowhere else. */
import { givenIn } from './camp.ts'
import { groupingOf } from './camps.ts'
import { type Flip, flipsOf } from './moves.ts'
import { isClosed, type Round, roundAt, type Session } from './state.ts'
import { hasQuorum, type Level, type Tally, tallyOf } from './tally.ts'
import { importedLevel, verdictLine } from './verdict-line.ts'

/** Each flag with the plain words that explain it. */
export const flags = {
  herding:
    'Most changes of mind went to the leading camp and cite nothing that checks out, so the sealed vote counts.',
  'contested grouping':
    'Two passes over the headlines grouped them differently, or a membership could not be checked.',
  ungrouped: 'No moderator grouped the headlines, so only equal ones count as agreement.',
  'low confidence':
    'The moderator is a small model: which headlines agree hangs on its yes or no alone, so read them yourself.',
  'language drift': 'A seat did not answer in the language of the question, even when asked again.',
  'moderator on panel': "The moderator's model also holds a seat.",
  'report by code': 'The report was written by code: no moderator wrote one that agrees with the counts.',
  'budget reached': 'The budget had no room for all calls of the session.',
  interrupted: 'The session was stopped before it was done.',
  failed: 'The session could not be run to its end: its log says why.',
  'demo-grade':
    'Seats are held by very small models: they show how a table works, and their opinions are no evidence.',
  'scripted seats': 'Replies of scripted seats were written in advance, not by a model.',
} as const
export type Flag = keyof typeof flags

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
  /** How many seats left one camp for another. */
  readonly flips: number
  readonly ledger: readonly Flip[]
  readonly flags: readonly Flag[]
  readonly line: string
}

/** The challenger's objection was to the camp that this seat then left: that is a cause, and no herd. */
const wasChallenged = (session: Session, flip: Flip): boolean => {
  const before = roundAt(session, flip.round - 1)
  return Boolean(before?.objection) && tallyOf(session, before!).leading === flip.from
}

/** More than half of the flips went to the leading camp and cite nothing that checks out. */
const isHerding = (session: Session, flips: readonly Flip[], leading: string | null): boolean => {
  const followed = flips.filter(
    flip => flip.to === leading && !flip.credit?.verified && !wasChallenged(session, flip),
  )
  return leading !== null && followed.length * 2 > flips.length
}

/**
 * A half-asked round is no vote: while it is being answered, or after a crash, the last closed round counts,
 * and a session that was stopped is judged by its last round with a quorum.
 */
const finalRound = (session: Session): Round | undefined => {
  const last = session.roundsSoFar.at(-1)
  if (!session.stopped) return session.roundsSoFar.findLast(round => isClosed(session, round)) ?? last
  const quorate = (round: Round): boolean => hasQuorum(givenIn(session, round).length, session.seats.length)
  return session.roundsSoFar.findLast(quorate) ?? last
}

const flagsOf = (session: Session, herding: boolean): Flag[] => {
  const groupings = session.roundsSoFar.map(round => groupingOf(session, round))
  const drifted = session.roundsSoFar.some(round =>
    givenIn(session, round).some(({ answer }) => answer.drifted),
  )
  const found: Record<Flag, boolean> = {
    herding,
    'contested grouping': groupings.some(grouping => grouping.contested),
    ungrouped: !session.imported && groupings.some(grouping => grouping.by === 'headline'),
    'low confidence': groupings.some(grouping => grouping.weak),
    'language drift': drifted,
    'moderator on panel': session.seats.some(seat => seat.model === session.moderator),
    'report by code': session.reportBy === 'code',
    'budget reached': session.stopped?.reason === 'budget',
    interrupted: session.stopped?.reason === 'interrupted',
    failed: session.stopped?.reason === 'failed',
    'demo-grade': session.seats.some(seat => seat.small),
    'scripted seats': session.seats.some(seat => seat.scripted),
  }
  return (Object.keys(found) as Flag[]).filter(flag => found[flag])
}

/** A state is never changed, so its verdict is counted once, however often it is asked for. */
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
  const spoke = herding ? sealed : final
  const claimed = session.imported && importedLevel(session.imported.line, session.seats.length)
  return {
    level: claimed ? claimed.level : (spoke?.level ?? 'no-quorum'),
    agree: claimed ? claimed.agree : (spoke?.agree ?? 0),
    of: session.seats.length,
    answered: spoke?.answered ?? 0,
    leading: claimed ? null : (spoke?.leading ?? null),
    dissent: claimed || !spoke?.leading ? [] : dissentOf(spoke),
    sealed,
    final,
    flips: ledger.length,
    ledger,
    flags: flagsOf(session, herding),
    line: session.imported?.line ?? verdictLine(session, spoke, herding),
  }
}

const dissentOf = (tally: Tally): string[] =>
  tally.camps.filter(camp => camp.id !== tally.leading).flatMap(camp => [...camp.seats])
