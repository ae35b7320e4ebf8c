/** What a seat is asked after it has heard both advocates. */
import { sidesOf } from '../../core/group/examination.ts'
import { roundAt, type Session } from '../../core/log/state.ts'
import { recordLines, spokenIn, whatRecordIs } from '../examination-record.ts'
import { openRoundPrompt, orderOf, sharesOrder } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'

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
