/** Steps of the fold that change one round, or note what the moderator used. */
import type { SessionEvent } from './event.ts'
import { takenLate } from './late.ts'
import { checkKey, type HandedIn, type Round, type Session } from './session.ts'
import type { Usage } from './spent.ts'

export const withUsage = (session: Session, usage: Usage | undefined): Session =>
  usage ? { ...session, moderatorUsage: [...session.moderatorUsage, usage] } : session

export const withRound = (
  session: Session,
  index: number,
  change: (round: Round) => Partial<Round>,
): Session => ({
  ...session,
  roundsSoFar: session.roundsSoFar.map(round =>
    round.index === index ? { ...round, ...change(round) } : round,
  ),
})

export const withHandedIn = (before: Session, index: number, seat: string, made: HandedIn): Session => {
  const { session, handedIn } = takenLate(before, index, seat, made)
  return withRound(session, index, round => ({ handedIn: { ...round.handedIn, [seat]: handedIn } }))
}

/** A copy of the list with the item in its place. */
export const placed = <T>(
  list: readonly (T | undefined)[] = [],
  place: number,
  item: T,
): (T | undefined)[] => {
  const copy = [...list]
  copy[place] = item
  return copy
}

export const withProposal = (
  round: Round,
  pass: number,
  proposal: Round['proposals'][number],
): Partial<Round> => ({
  proposals: placed(round.proposals, pass, proposal),
})

export const withChecks = (
  round: Round,
  { checks, missing = [] }: SessionEvent & { type: 'memberships-checked' },
): Partial<Round> => ({
  checks: {
    ...round.checks,
    ...Object.fromEntries(checks.map(one => [checkKey(one.seat, one.exemplar), one.relation])),
  },
  ...(missing.length > 0 && {
    missedChecks: [
      ...(round.missedChecks ?? []),
      ...missing.map(({ seat, exemplar }) => checkKey(seat, exemplar)),
    ],
  }),
})

export const withReading = (
  round: Round,
  { labels, positions, objection, digest }: SessionEvent & { type: 'round-read' },
): Partial<Round> => ({
  ...(labels && withProposal(round, 0, labels)),
  ...(positions && { positions: placed(round.positions, 0, positions) }),
  ...(objection !== undefined && { objection }),
  ...(digest && { digest }),
})
