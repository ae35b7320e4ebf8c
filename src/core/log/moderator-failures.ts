/** What a task that failed, or a reading that lacks something, does to the state: it is noted, and the session goes on. */
import type { ModelError } from '../errors.ts'
import type { SessionEvent } from './event.ts'
import { placed, withProposal, withRound, withUsage } from './round-changes.ts'
import type { CheckedChange, Session } from './session.ts'

/** What a reading should have had is a failure like any other, so that it is shown. */
export const withLacking = (
  session: Session,
  { round, missing = [] }: SessionEvent & { type: 'round-read' },
): Session => {
  if (missing.length === 0) return session
  const error = { kind: 'bad-shape', message: `the reading lacks its ${missing.join(' and ')}` } as const
  return { ...session, failures: [...session.failures, { task: 'reading', round, error }] }
}

export const withChange = (session: Session, seat: string, change: CheckedChange | ModelError): Session => ({
  ...session,
  changes: { ...session.changes, [seat]: change },
})

/** A pass or an order. Any other number in a log would make a list of that length. */
const oneOfTwo = (subject: string | undefined): 0 | 1 => (subject === '1' ? 1 : 0)

/** A task that failed is done: what it would have said is left open, and the failure is kept. */
export const moderatorFailed = (
  session: Session,
  event: SessionEvent & { type: 'moderator-failed' },
): Session => {
  const { task, round, error, subject, subjects = [subject ?? ''] } = event
  const noted = withUsage(
    { ...session, failures: [...session.failures, { task, round, error }] },
    event.usage,
  )
  switch (task) {
    case 'kind':
      return { ...noted, kindFound: null }
    case 'readings':
      return withRound(noted, round, () => ({ readings: error }))
    case 'reading':
      return withRound(noted, round, () => ({ unread: error }))
    case 'group':
      return withRound(noted, round, current => withProposal(current, oneOfTwo(subject), error))
    case 'check':
      return withRound(noted, round, current => ({
        checks: { ...current.checks, ...Object.fromEntries(subjects.map(key => [key, error])) },
      }))
    case 'challenge':
      return withRound(noted, round, () => ({ objection: null }))
    case 'change':
      return withChange(noted, subject ?? '', error)
    case 'judge':
      return withRound(noted, round, current => ({
        rulings: placed(current.rulings, oneOfTwo(subject), error),
      }))
    case 'digest':
    case 'report':
      return noted
    default:
      return task satisfies never
  }
}
