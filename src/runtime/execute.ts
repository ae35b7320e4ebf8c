/** Carries one command out, and says what happened. */
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { roundAt, type Session, seatOf } from '../core/log/state.ts'
import { promptVersion } from '../core/question/form.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { settledReport } from '../protocols/moderator/report.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { RunContext } from './context.ts'
import { moderate } from './moderate.ts'
import { silentStatement } from './outside.ts'
import { searchWeb } from './search.ts'
import { askSeat } from './seat.ts'
import { makeStatement } from './statement.ts'

const outcomeOf = (session: Session) => {
  if (session.stopped) return session.stopped.reason
  return verdictOf(session).level === 'no-quorum' ? 'no-quorum' : 'verdict'
}

export const execute = async (
  context: RunContext,
  session: Session,
  protocol: Protocol,
  command: Command,
): Promise<Happening[]> => {
  switch (command.type) {
    case 'search':
      return [await searchWeb(context, session)]
    case 'open-round':
      return [
        {
          type: 'round-opened',
          round: command.round,
          sealed: command.sealed,
          prompts: promptVersion,
        },
      ]
    case 'ask-seat':
      return [await askSeat(context, session, protocol, command)]
    case 'make-statement':
      return [
        seatOf(session, command.seat).outside
          ? silentStatement(command)
          : await makeStatement(context, session, command),
      ]
    case 'settle-report':
      return [settledReport(session)]
    case 'finish':
      return [{ type: 'session-finished', outcome: outcomeOf(session) }]
    case 'write-digest': {
      const round = roundAt(session, command.round)
      if (!protocol.digest || !round) return moderate(context, session, command)
      return [
        { type: 'digest-written', round: command.round, digest: protocol.digest(session, round), by: 'code' },
      ]
    }
    default:
      return moderate(context, session, command)
  }
}
