/** Advocates of the two largest camps question each other; then the table votes again, and a judge rules twice. */

import { nextTurn, turnsIn } from '../../core/group/examination.ts'
import type { Command } from '../../core/log/command.ts'
import { isClosed, latestRound, type Round, roundAt, type Session } from '../../core/log/state.ts'
import { spokenIn } from '../examination-record.ts'
import { revisingTokens } from '../how-to-answer.ts'
import type { Protocol } from '../protocol.ts'
import { sealedPrompt } from '../sealed-prompt.ts'
import { asks, conclude, groupClosed, isWanted, openNext } from '../steps.ts'
import { hearingPrompt } from './prompts.ts'

const turns = (session: Session, round: Round): Command[] => {
  const next = nextTurn(session, round)
  return next ? [{ type: 'make-statement', round: round.index, ...next }] : []
}

/** Only a moderator without a seat that isn't too small may judge. */
const hasJudge = ({ moderator, smallModerator, seats }: Session): boolean =>
  moderator !== null && !smallModerator && seats.every(seat => seat.model !== moderator)

const rulings = (session: Session, round: Round | undefined): Command[] => {
  if (!round || !hasJudge(session) || spokenIn(round).length === 0) return []
  const orders = ([0, 1] as const).filter(order => round.rulings?.[order] === undefined)
  return orders.map(order => ({ type: 'judge', round: round.index, order }))
}

/** What follows a round: its advocates speak, then everybody answers again while the judge rules. */
const examine = (session: Session, round: Round): readonly Command[] => {
  const speaking = turns(session, round)
  if (speaking.length > 0) return speaking
  // If no advocate said anything, there is nothing to judge and nothing new to answer.
  return spokenIn(round).length > 0 ? [...openNext(session), ...rulings(session, round)] : conclude(session)
}

export const crossExamination = (): Protocol => ({
  id: 'cross-examination',
  label: 'Cross-examination',
  summary:
    'Advocates of the two largest camps question each other. The table votes again, and a judge rules.',
  rounds: { usual: 2, most: 4 },
  formats: ['open', 'choice', 'ranking', 'number'],
  stopsEarly: true,
  next(session) {
    const round = latestRound(session)
    if (!round) return openNext(session)
    const before = roundAt(session, round.index - 1)
    if (!isClosed(session, round)) return [...asks(session, round), ...rulings(session, before)]
    const grouping = groupClosed(session)
    const judging = rulings(session, before)
    const speaks = round.sealed || isWanted(session)
    // Camps choose the advocates, and the report tells what a judge ruled.
    if (judging.length > 0 || (speaks && grouping.length > 0)) return [...grouping, ...judging]
    return speaks ? examine(session, round) : conclude(session, grouping)
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : hearingPrompt(session, seat, round),
  expect({ seats, rounds, question, answer }) {
    const statements = turnsIn({ rounds })
    const record = statements * answer
    const heard = rounds > 0 ? 1 : 0
    const judging = heard * 2 * (question + record)
    const report = question + seats * answer
    return {
      calls: seats + statements + heard * (seats + 2) + 1,
      inputTokens:
        seats * question +
        statements * (question + revisingTokens + answer + record / 2) +
        heard * seats * (question + revisingTokens + answer + record) +
        judging +
        report,
      outputTokens: (seats * (1 + heard) + statements + heard * 2 + 1) * answer,
      moderator: {
        calls: heard * 2 + 1,
        inputTokens: judging + report,
        outputTokens: (heard * 2 + 1) * answer,
      },
    }
  },
})
