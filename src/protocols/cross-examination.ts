/** What a seat is asked after it has heard both advocates. */
import type { Command } from '../core/event.ts'
import { isClosed, latestRound, type Round, roundAt, type Session } from '../core/session.ts'
import { nextTurn, sidesOf, turnsIn } from '../count/group.ts'
import { openRoundPrompt, orderOf, revisingTokens, sealedPrompt, sharesOrder } from './prompt.ts'
import type { Prompt, Protocol } from './protocol.ts'
import { recordLines, spokenIn, whatRecordIs } from './statements.ts'
import { asks, conclude, groupClosed, isWanted, openNext } from './steps.ts'

/** Every other seat reads the other position first, so that neither comes first for the whole table. */
const orders = 2

export const hearingPrompt = (session: Session, seat: string, round: number): Prompt => {
  const last = roundAt(session, round - 1)!
  const order = orderOf(session, seat, orders)
  const sides = sidesOf(session, last) ?? []
  const spoke = spokenIn(last).some(one => one.seat === seat)
  return openRoundPrompt(session, seat, round, {
    // Whoever spoke reads a record of its own.
    fence: `round ${round} order ${order}${spoke ? ` seat ${seat}` : ''}`,
    isShared: !spoke && sharesOrder(session, seat, orders),
    place: 'heard',
    what: whatRecordIs,
    lines: recordLines(session, last, order === 0 ? sides : sides.toReversed(), seat),
    task: howToAnswer => [
      [
        'The turns stand in the order in which they were spoken. Judge what held: a point that was answered is spent, and an',
        'evaded question weakens the case of whoever evaded it. Nobody could answer the last turn; that alone does not make',
        'it right. You are bound to neither position.',
        ...(spoke
          ? [
              'You were one of the advocates: the turns marked as yours are your own. You are free to answer otherwise now.',
            ]
          : []),
        howToAnswer,
      ].join('\n'),
    ],
  })
}

// crossExamination: Advocates of the two largest camps question each other; then the table votes again, and a judge rules twice.

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
