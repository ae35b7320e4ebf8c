/** What a seat is asked after it has heard both advocates. */
import { sidesOf } from '../../core/group/examination.ts'
import { roundAt, type Session } from '../../core/log/state.ts'
import { recordLines } from '../examination-record.ts'
import { openRoundPrompt, orderOf } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'

/** Every other seat reads the other side first, so that neither side comes first for the whole table. */
export const hearingPrompt = (session: Session, seat: string, round: number): Prompt => {
  const last = roundAt(session, round - 1)!
  const order = orderOf(session, seat, 2)
  const sides = sidesOf(session, last) ?? []
  return openRoundPrompt(session, seat, round, {
    fence: `round ${round} order ${order}`,
    lines: recordLines(session, last, order === 0 ? sides : sides.toReversed()),
    task: howToAnswer => [
      [
        'Two seats spoke for two positions in turns and questioned each other. Judge what held: a point that was',
        'answered is spent, a question that was evaded counts against who evaded it. You are bound to neither of them.',
        howToAnswer,
      ].join('\n'),
    ],
  })
}
