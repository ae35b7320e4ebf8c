/** Sealed answers, an anonymous digest, a gate with a challenger, then critique and revision in one call. */
import { groupingOf } from '../../core/camps.ts'
import { moveOf } from '../../core/moves.ts'
import { isClosed, latestRound, type Round, type Session } from '../../core/state.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed.ts'
import {
  asks,
  conclude,
  groupClosed,
  hasAnswers,
  isWanted,
  openNext,
  openRounds,
  supportOf,
} from '../steps.ts'
import { digestTokens, revisePrompt } from './prompts.ts'

/** With this part of the table agreed, only a checkable objection opens another round. */
const enoughSupport = 0.8

const nobodyMoved = (session: Session, round: Round): boolean =>
  !round.sealed && session.seats.every(seat => moveOf(session, round, seat.id) !== 'switched')

const canChallenge = ({ moderator, smallModerator }: Session): boolean =>
  moderator !== null && !smallModerator

/** The gate: whether the table should talk (again), or who must be heard before that is known. */
const gate = (session: Session, round: Round): 'talk' | 'stop' | 'challenge' => {
  if (openRounds(session) >= session.rounds || !hasAnswers(session, round)) return 'stop'
  if (isWanted(session)) return 'talk'
  if (nobodyMoved(session, round)) return 'stop'
  if (supportOf(session, groupingOf(session, round).camps) < enoughSupport) return 'talk'
  if (round.objection === undefined) return canChallenge(session) ? 'challenge' : 'stop'
  return round.objection === null ? 'stop' : 'talk'
}

export const hybrid = (): Protocol => ({
  id: 'hybrid',
  label: 'Hybrid',
  summary: 'Sealed, then an anonymous digest and a challenger; talk only while it can help.',
  rounds: { usual: 2, most: 4 },
  stopsEarly: true,
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    if (!isClosed(session, round)) return asks(session, round)
    const grouping = groupClosed(session)
    if (grouping.length > 0) return grouping
    const way = gate(session, round)
    if (way === 'challenge') return [{ type: 'challenge', round: round.index }]
    if (way === 'stop') return conclude(session)
    return round.digest ? openNext(session) : [{ type: 'write-digest', round: round.index }]
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : revisePrompt(session, seat, round),
  expect: ({ seats, rounds, question, answer }) => ({
    calls: seats + 3 + rounds * (seats + 1),
    inputTokens:
      seats * question +
      rounds * (seats * (question + answer + digestTokens) + question + seats * answer) +
      2 * (question + seats * answer),
    outputTokens: (seats + 2 + rounds * seats) * answer + rounds * digestTokens,
    moderator: {
      calls: 3 + rounds,
      inputTokens: (rounds + 2) * (question + seats * answer),
      outputTokens: 2 * answer + rounds * digestTokens,
    },
  }),
})
