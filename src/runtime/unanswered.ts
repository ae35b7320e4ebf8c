/** Seats that have handed in nothing when the session ends or stops: they are silent, and the reason is said. */
import type { ModelError } from '../core/errors.ts'
import type { Happening } from '../core/log/event.ts'
import { type Session, seatsIn } from '../core/log/state.ts'

/** Seats that have handed in nothing for a round that they sit in. They are silent for the given reason. */
export const missing = (session: Session, error: ModelError): Happening[] =>
  session.roundsSoFar.flatMap(({ index: round, handedIn }) =>
    seatsIn(session, round)
      .filter(({ id }) => handedIn[id] === undefined)
      .map(({ id: seat }): Happening => ({ type: 'seat-silent', round, seat, error })),
  )

export const unasked = (session: Session, { reason, words }: NonNullable<Session['stopped']>): Happening[] =>
  missing(session, { kind: reason === 'budget' ? 'budget' : 'cancelled', message: words })

export const tooLate: ModelError = { kind: 'cancelled', message: 'the session ended before it answered' }

/** A call that was cut short because the session ended says so, in words that are about this session. */
export const cutShort = (happening: Happening): Happening =>
  happening.type === 'seat-silent' && happening.error.kind === 'cancelled'
    ? { ...happening, error: tooLate }
    : happening

export const stoppedBy = (session: Session, aborted: boolean, spent: string): Happening[] => {
  const stopped = aborted
    ? ({ reason: 'interrupted', words: 'Somebody stopped the session.' } as const)
    : ({ reason: 'budget', words: spent } as const)
  return [...unasked(session, stopped), { type: 'session-stopped', ...stopped }]
}
