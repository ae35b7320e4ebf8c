/** Has the moderator do one task. If it can't, code does what code can, and the log says so. */
import type { ModelError } from '../core/errors.ts'
import { commandKey } from '../core/log/command.ts'
import type { Happening, ModeratorTask, Relation, Report } from '../core/log/event.ts'
import { checkKey, latestRound, type Session } from '../core/log/state.ts'
import { plainReport } from '../core/verdict/plain-report.ts'
import { toCompare } from '../core/verdict/report-answer.ts'
import { relationFrom } from '../protocols/moderator/check.ts'
import { type ModeratorCommand, moderatorStep } from '../protocols/moderator/index.ts'
import { draftedFor, finished } from '../protocols/moderator/report.ts'
import { answerProblem, answerPrompt } from '../protocols/moderator/report-answer.ts'
import { plainDigest } from '../protocols/plain-digest.ts'
import { seenFor } from '../protocols/steps.ts'
import { askModel, eventFrom } from './ask-model.ts'
import { plus } from './call-usage.ts'
import type { RunContext } from './context.ts'

const subjectOf = (command: ModeratorCommand): { subject?: string; subjects?: string[] } => {
  if (command.type === 'check-memberships')
    return { subjects: command.pairs.map(({ seat, exemplar }) => checkKey(seat, exemplar)) }
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
    case 'write-report':
      return [reportByCode(session, rejected)]
    case 'find-kind':
    case 'group-readings':
    case 'read-round':
    case 'group-answers':
    case 'check-membership':
    case 'check-memberships':
    case 'challenge':
    case 'check-change':
    case 'judge':
      return []
    default:
      return command satisfies never
  }
}

type Reported = Happening & { type: 'report-written' | 'report-drafted' }

/** What code puts in place of a report that can't be used. While memberships are being checked, the counts come later. */
const reportByCode = (session: Session, rejected: readonly string[]): Reported => ({
  ...(session.asLabelled
    ? draftedFor(session)
    : { type: 'report-written', report: plainReport(session), by: 'code' }),
  ...(rejected.length > 0 && { rejected: [...rejected] }),
})

const reportIn = (session: Session, written: Reported): Report | undefined => {
  if (written.type === 'report-written') return written.report
  return written.draft && finished(session, written.draft)
}

/**
 * A report whose answer is worded otherwise than the leading headline is compared with it once, in one more call. If
 * they aren't the same answer, or that can't be found out, code writes the report.
 */
const checkedReport = async (
  context: RunContext,
  session: Session,
  written: Reported,
): Promise<Happening | Happening[]> => {
  const report = reportIn(session, written)
  const compared = report && toCompare(session, report)
  if (!compared) return written
  const asked = await askModel<Relation>(context, session, {
    prompt: answerPrompt(session, compared),
    name: 'report answer',
    read: raw => {
      const found = relationFrom(raw)
      return 'problem' in found ? found : found.relation
    },
  })
  const usage = asked.usage ? plus(written.usage, asked.usage) : written.usage
  const spent = { ...(usage && { usage }), ...(written.timing && { timing: written.timing }) }
  if (asked.status === 'given') {
    const problem = answerProblem(compared.answer, asked.value)
    return { ...(problem ? reportByCode(session, [problem]) : written), ...spent }
  }
  const failed = eventFrom(asked, {
    given: () => written,
    failed: error => failure(session, 'report', error),
  })
  return [
    { ...failed, ...spent } as Happening,
    reportByCode(session, ['its answer could not be compared with the leading position']),
  ]
}

const failure = (session: Session, task: ModeratorTask, error: ModelError): Happening => ({
  type: 'moderator-failed',
  task,
  round: session.roundsSoFar.at(-1)?.index ?? 0,
  error,
})

export const moderate = async (
  context: RunContext,
  state: Session,
  command: ModeratorCommand,
): Promise<Happening[]> => {
  const session = seenFor(command, state)
  const tooHard = session.smallModerator && command.type !== 'check-membership'
  if (session.moderator === null || session.stopped || tooHard) return withoutModerator(session, command, [])
  const { task, step } = moderatorStep(command)
  let lastReply: unknown
  const asked = await askModel<Happening>(context, session, {
    prompt: step.prompt(session, command),
    name: commandKey(command),
    ...(command.type === 'write-report' && { reportOn: latestRound(session)?.index ?? 0 }),
    read: raw => {
      lastReply = raw
      return step.read(raw, session, command)
    },
  })
  const happening = eventFrom(asked, {
    given: found => found,
    failed: error =>
      (error.kind === 'bad-shape' && step.salvage?.(lastReply, session, command)) || {
        ...failure(session, task, error),
        ...('round' in command && { round: command.round }),
        ...subjectOf(command),
      },
  })
  if (happening.type === 'report-written' || happening.type === 'report-drafted')
    return [await checkedReport(context, session, happening)].flat()
  if (asked.status === 'given') return [happening]
  return [happening, ...withoutModerator(session, command, asked.status === 'silent' ? asked.problems : [])]
}
