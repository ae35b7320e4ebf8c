/** The one way in which a session asks a model, and turns whatever comes back into one event. */
import type { ModelError } from '../core/errors.ts'
import type { Happening, Seat, Voice } from '../core/log/event.ts'
import { type DraftField, reportWriter } from '../core/log/live-event.ts'
import { type Session, seatOf } from '../core/log/state.ts'
import { hash } from '../core/random.ts'
import type { Prompt } from '../protocols/protocol.ts'
import { type Asked, ask } from './ask.ts'
import { deadlinesFor, type RunContext, resolveModel } from './context.ts'
import { picturesFor } from './pictures.ts'
import { reportPieces } from './report-pieces.ts'

export interface ModelRequest<T> {
  readonly prompt: Prompt
  /** Names the call within the session: its pauses before a retry follow from this. */
  readonly name: string
  /** The moderator writes the report of this round, and watchers see it. */
  readonly reportOn?: number
  /** The seat that is asked, and what for. Watchers see its words as it writes. Absent: the moderator is asked. */
  readonly to?: { readonly round: number; readonly turn?: number; readonly seat: string }
  read(raw: Record<string, unknown>): T | { readonly problem: string }
}

/** Nobody gave the seed: it is the session's id, alone or followed by random digits. A fork has that of the other session. */
const isOwnSeed = ({ seed, id, forkedFrom }: Session): boolean =>
  seed === id ||
  seed.startsWith(`${id} `) ||
  (forkedFrom?.round !== undefined && /^[\w-]{1,100} [0-9a-f]{16}$/.test(seed))

/** The session's seed reaches the models only if a person gave one: its own id would mean nothing to them. */
const voiceOf = (session: Session, seat: Seat): Voice & { seed?: number } => ({
  ...(seat.temperature !== undefined && { temperature: seat.temperature }),
  ...(seat.effort && { effort: seat.effort }),
  // Thirty-one bits: some makers accept no more.
  ...(!isOwnSeed(session) && { seed: hash(`${session.seed} ${seat.id}`) >>> 1 }),
})

/** A small moderator only compares. At a higher temperature it would guess. */
const moderatorVoice = ({ smallModerator }: Session): { voice?: Voice } =>
  smallModerator ? { voice: { temperature: 0 } } : {}

const lost = (name: string): Asked<never> => ({
  status: 'silent',
  error: { kind: 'bad-request', message: `the picture ${name} is no longer there: attach it again` },
  problems: [],
  timing: { firstToken: null, total: 0, attempts: 1 },
})

export const askModel = async <T>(
  context: RunContext,
  session: Session,
  { to, reportOn, name, ...request }: ModelRequest<T>,
): Promise<Asked<T>> => {
  const seat = to && seatOf(session, to.seat)
  const pictures = seat?.sees ? await picturesFor(session, context.file) : undefined
  if (pictures && 'missing' in pictures) return lost(pictures.missing)
  const writer = to ?? (reportOn === undefined ? undefined : { round: reportOn, seat: reportWriter })
  const piece = (field: DraftField, text: string): void => {
    if (writer) context.publish({ type: 'delta', ...writer, field, text })
  }
  return ask<T>({
    ...context,
    ...request,
    ...resolveModel(context.providers, seat?.model ?? session.moderator ?? ''),
    ...(pictures && { pictures }),
    ...(seat ? { voice: voiceOf(session, seat) } : moderatorVoice(session)),
    deadlines: deadlinesFor(session, seat?.id),
    name: `${session.seed} ${name}`,
    ...(writer && {
      draft: to ? { onDelta: piece } : reportPieces(session, piece),
      onRetry: (attempt, why) => context.publish({ type: 'retrying', ...writer, attempt, why }),
    }),
  })
}

/** The event that each outcome of a call becomes. */
export interface EventFor<T> {
  given(value: T): Happening
  failed(error: ModelError): Happening
  /** Absent: a model that declines has failed. */
  declined?(words: string): Happening
}

const eventOf = <T>(asked: Asked<T>, eventFor: EventFor<T>): Happening => {
  switch (asked.status) {
    case 'given':
      return eventFor.given(asked.value)
    case 'silent':
      return eventFor.failed(asked.error)
    case 'abstained':
      return (
        eventFor.declined?.(asked.words) ??
        eventFor.failed({ kind: 'content-filter', message: `it declined: ${asked.words}` })
      )
    default:
      return asked satisfies never
  }
}

/** One event for one call, with what the call used. */
export const eventFrom = <T>(asked: Asked<T>, eventFor: EventFor<T>): Happening => {
  const { usage, timing } = asked
  return { ...eventOf(asked, eventFor), ...(usage && { usage }), timing } as Happening
}
