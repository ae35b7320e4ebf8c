/** What webhooks tell about a session: that it is over, and that somebody outside has a turn. */
import type { SessionEvent } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import { documentOf } from '../exports/document.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { outsideTurns } from '../runtime/outside.ts'

export interface News {
  /** The same news has the same id, also if another process tells it again. */
  readonly id: string
  readonly type: 'session.finished' | 'seat.turn'
  readonly data: object
}

const finishedNews = (log: readonly SessionEvent[], session: Session): News => {
  const { verdict } = documentOf(log)
  return {
    id: `${session.id}.${session.position}.finished`,
    type: 'session.finished',
    data: {
      session: session.id,
      question: session.question.text,
      outcome: session.outcome,
      ...(verdict && { level: verdict.level, line: verdict.line }),
    },
  }
}

const turnNews = (session: Session, protocols: readonly Protocol[] | undefined): News[] =>
  outsideTurns(session, protocols).map(({ seat, round, deadline }) => ({
    id: `${session.id}.${round}.${seat}.turn`,
    type: 'seat.turn',
    data: {
      ...{ session: session.id, question: session.question.text, seat, round },
      name: session.seats.find(({ id }) => id === seat)?.name,
      deadline: new Date(deadline).toISOString(),
    },
  }))

/** The news of one run, from the log it began with and the log it ended with. */
export const newsOf = (
  before: readonly SessionEvent[],
  after: readonly SessionEvent[],
  protocols?: readonly Protocol[],
): News[] => {
  if (after.length === 0) return []
  const session = fold(after)
  if (!session.outcome) return turnNews(session, protocols)
  const wasOver = before.some(event => event.type === 'session-finished') && before.length === after.length
  return wasOver ? [] : [finishedNews(after, session)]
}
