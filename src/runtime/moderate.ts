/** Has the moderator do one task. If it can't, code does what code can, and the log says so. */
import type { Happening } from '../core/log/event.ts'
import { checkKey, type Session } from '../core/log/state.ts'
import { plainReport } from '../core/verdict/plain-report.ts'
import { type ModeratorCommand, moderatorStep } from '../protocols/moderator/index.ts'
import { plainDigest } from '../protocols/plain-digest.ts'
import { askModel, eventFrom } from './ask-model.ts'
import type { RunContext } from './context.ts'

const subjectOf = (command: ModeratorCommand): { subject?: string } => {
  if (command.type === 'group-answers') return { subject: String(command.pass) }
  if (command.type === 'check-membership') return { subject: checkKey(command.seat, command.exemplar) }
  if (command.type === 'judge') return { subject: String(command.order) }
  return command.type === 'check-change' ? { subject: command.seat } : {}
}

/** What code does instead of the moderator. */
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

export const moderate = async (
  context: RunContext,
  session: Session,
  command: ModeratorCommand,
): Promise<Happening[]> => {
  const tooHard = session.smallModerator && command.type !== 'check-membership'
  if (session.moderator === null || session.stopped || tooHard) return withoutModerator(session, command, [])
  const { task, step } = moderatorStep(command)
  const asked = await askModel<Happening>(context, session, {
    prompt: step.prompt(session, command),
    name: Object.values(command).join(' '),
    read: raw => step.read(raw, session, command),
  })
  const happening = eventFrom(asked, {
    given: found => found,
    failed: error => ({
      type: 'moderator-failed',
      task,
      round: 'round' in command ? command.round : (session.roundsSoFar.at(-1)?.index ?? 0),
      ...subjectOf(command),
      error,
    }),
  })
  if (asked.status === 'given') return [happening]
  return [happening, ...withoutModerator(session, command, asked.status === 'silent' ? asked.problems : [])]
}
