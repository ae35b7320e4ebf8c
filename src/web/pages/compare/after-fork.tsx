/** What two sessions with the same beginning did after it, round by round. */
import type { SessionEvent } from '../../../core/log/event.ts'
import { fold, type Session } from '../../../core/log/state.ts'
import { roundName } from '../../../core/wording/round-names.ts'
import { useStage } from '../session/stage.ts'
import { SeatAnswers } from './seat-answers.tsx'

const sharedWith = (fork: Session, other: Session): number | undefined => {
  const { forkedFrom } = fork
  if (forkedFrom?.round === undefined) return undefined
  if (forkedFrom.session === other.id) return forkedFrom.round
  const both = other.forkedFrom
  return both?.session === forkedFrom.session && both.round !== undefined
    ? Math.min(both.round, forkedFrom.round)
    : undefined
}

/** The last round that two sessions share: one is a fork of the other, or both are forks of a third. */
export const sharedRound = (
  one: readonly SessionEvent[],
  other: readonly SessionEvent[],
): number | undefined => {
  const [first, second] = [fold(one), fold(other)]
  return sharedWith(first, second) ?? sharedWith(second, first)
}

export const AfterFork = ({ round: shared }: { round: number }) => {
  const { session } = useStage()
  const rounds = session.roundsSoFar.filter(({ index }) => index > shared)
  if (rounds.length === 0) return <p className="text-soft">No further round was held.</p>
  return (
    <div className="space-y-5">
      {rounds.map(round => (
        <div key={round.index}>
          <h4 className="mb-2 text-sm font-semibold">{roundName(round)}</h4>
          <SeatAnswers round={round} />
        </div>
      ))}
    </div>
  )
}
