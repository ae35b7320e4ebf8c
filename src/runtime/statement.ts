/** Gives an advocate its turn. */
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import { statement } from '../protocols/statement.ts'
import { askModel, eventFrom } from './ask-model.ts'
import type { RunContext } from './context.ts'

type MakeStatement = Command & { type: 'make-statement' }

export const makeStatement = async (
  context: RunContext,
  session: Session,
  command: MakeStatement,
): Promise<Happening> => {
  const { round, turn, seat } = command
  const asked = await askModel<Happening>(context, session, {
    prompt: statement.prompt(session, command),
    name: `statement ${round} ${turn}`,
    to: { round, turn, seat },
    read: raw => statement.read(raw, session, command),
  })
  return eventFrom(asked, {
    given: happening => happening,
    failed: error => ({ type: 'statement-made', round, turn, seat, said: { error } }),
  })
}
