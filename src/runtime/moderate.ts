/** Carries out what the moderator is asked to do; where it cannot, code does it and says so. */
import type { Happening } from '../core/log/event.ts'
import { checkKey, type Session } from '../core/log/state.ts'
import { plainReport } from '../core/verdict/plain-report.ts'
import { type ModeratorCommand, moderatorStep } from '../protocols/moderator/index.ts'
import { plainDigest } from '../protocols/plain-digest.ts'
import { type Asked, ask } from './ask.ts'
import { deadlinesFor, type RunContext, resolveModel } from './context.ts'

const subjectOf = (command: ModeratorCommand): { subject?: string } => {
  if (command.type === 'group-answers') return { subject: String(command.pass) }
  if (command.type === 'check-membership') return { subject: checkKey(command.seat, command.exemplar) }
  if (command.type === 'judge') return { subject: String(command.order) }
  return command.type === 'check-change' ? { subject: command.seat } : {}
}

/** What code does in the moderator's place. */
const withoutModerator = (
  session: Session,
  command: ModeratorCommand,
  rejected: readonly string[],
): Happening[] => {
  switch (command.type) {
    case 'write-digest':
      return [
        {
          type: 'digest-written',
          round: command.round,
          ...(command.batch !== undefined && { batch: command.batch }),
          digest: plainDigest(session, command.round, command.batch),
          by: 'code',
        },
      ]
    case 'write-report': {
      const report = plainReport(session)
      return [
        {
          type: 'report-written',
          report,
          by: 'code',
          ...(rejected.length > 0 && { rejected: [...rejected] }),
        },
      ]
    }
    case 'group-answers':
    case 'check-membership':
    case 'challenge':
    case 'check-change':
    case 'judge':
      return []
    default:
      return command satisfies never
  }
}

const failed = (
  session: Session,
  command: ModeratorCommand,
  asked: Exclude<Asked<Happening>, { status: 'given' }>,
): Happening[] => {
  const { task } = moderatorStep(command)
  const error =
    asked.status === 'silent'
      ? asked.error
      : { kind: 'content-filter' as const, message: `it declined: ${asked.words}` }
  const rejected = asked.status === 'silent' ? asked.problems : []
  const note: Happening = {
    type: 'moderator-failed',
    task,
    round: 'round' in command ? command.round : (session.roundsSoFar.at(-1)?.index ?? 0),
    ...subjectOf(command),
    error,
    ...(asked.usage && { usage: asked.usage }),
    timing: asked.timing,
  }
  return [note, ...withoutModerator(session, command, rejected)]
}

export const moderate = async (
  context: RunContext,
  session: Session,
  command: ModeratorCommand,
): Promise<Happening[]> => {
  const beyondIt = session.smallModerator && command.type !== 'check-membership'
  if (session.moderator === null || session.stopped || beyondIt) return withoutModerator(session, command, [])
  const { step } = moderatorStep(command)
  const { provider, model } = resolveModel(context.providers, session.moderator)
  const asked = await ask<Happening>({
    ...context,
    provider,
    model,
    ...(session.smallModerator && { voice: { temperature: 0 } }),
    prompt: step.prompt(session, command),
    deadlines: deadlinesFor(session),
    name: `${session.seed} ${Object.values(command).join(' ')}`,
    read: raw => step.read(raw, session, command),
  })
  if (asked.status !== 'given') return failed(session, command, asked)
  const { value, usage, timing } = asked
  return [{ ...value, ...(usage && { usage }), timing } as Happening]
}
