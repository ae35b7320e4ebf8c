/** Gives an advocate its turn, and turns whatever comes back into one event. */

import type { ModelError } from '../core/errors.ts'
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { type Session, seatOf } from '../core/log/state.ts'
import { statement } from '../protocols/statement.ts'
import { type Asked, ask } from './ask.ts'
import { deadlinesFor, type RunContext, resolveModel } from './context.ts'
import { voiceOf } from './seat.ts'

type MakeStatement = Command & { type: 'make-statement' }

const errorOf = (asked: Exclude<Asked<Happening>, { status: 'given' }>): ModelError =>
  asked.status === 'silent' ? asked.error : { kind: 'content-filter', message: `it declined: ${asked.words}` }

export const makeStatement = async (
  context: RunContext,
  session: Session,
  command: MakeStatement,
): Promise<Happening> => {
  const { round, turn, seat } = command
  const sitting = seatOf(session, seat)
  const { provider, model } = resolveModel(context.providers, sitting.model)
  const asked = await ask<Happening>({
    ...context,
    provider,
    model,
    prompt: statement.prompt(session, command),
    voice: voiceOf(session, sitting),
    deadlines: deadlinesFor(session, seat),
    name: `${session.seed} statement ${round} ${turn}`,
    read: raw => statement.read(raw, session, command),
    onDelta: (field, text) => context.publish({ type: 'delta', round, turn, seat, field, text }),
    onRetry: (attempt, why) => context.publish({ type: 'retrying', round, turn, seat, attempt, why }),
  })
  const { usage, timing } = asked
  const happening: Happening =
    asked.status === 'given'
      ? asked.value
      : { type: 'statement-made', round, turn, seat, said: { error: errorOf(asked) } }
  return { ...happening, ...(usage && { usage }), timing } as Happening
}
