/** Resumes a session in this process, from the end of its log. */
import type { LiveEvent, SessionEvent } from '../../core/log/event.ts'
import { resumed } from '../../core/log/interjection.ts'
import { fold, type Session } from '../../core/log/state.ts'
import { documentOf } from '../../exports/document.ts'
import { createRoundtable, type Roundtable } from '../../library/roundtable.ts'
import { channel } from '../../runtime/channel.ts'
import type { Shared } from '../../store/shared/shared.ts'
import { loadConfig } from '../../table/config.ts'
import { type Seated, seated } from '../seated.ts'
import type { Shell } from '../terminal/shell.ts'
import type { Show } from './run-session.ts'

type Flags = { readonly yes?: boolean }

/** The models that can be reached: as for a new question, or the script of a tour. */
const reachFor = async (session: Session, shell: Shell, flags: Flags): Promise<Omit<Seated, 'input'>> => {
  if (session.seats.some(seat => seat.scripted)) {
    const { tour } = await import('../../library/tour.ts')
    return { options: tour().options, refresh() {} }
  }
  const { question, moderator } = session
  const seats = session.seats.map(seat => seat.model)
  return seated({ question: question.text, seats, moderator }, loadConfig(shell), shell, flags)
}

/** The log to resume from: a session that was stopped gets an event that says it continues. */
const begunAgain = async (log: readonly SessionEvent[], archive: Shared, clock: () => number) => {
  const session = fold(log)
  if (!session.outcome) return log
  const event = { position: log.length, at: new Date(clock()).toISOString(), ...resumed(session) }
  await archive.append(session.id, [event])
  return [...log, event]
}

const running = (table: Roundtable, log: readonly SessionEvent[], signal: AbortSignal) => {
  const events = channel<LiveEvent>(log)
  const result = table.carryOn(log, { signal, publish: events.put }).then(documentOf)
  result.then(events.close, events.fail)
  return { events, result }
}

export const resumeHere = async (
  id: string,
  archive: Shared,
  shell: Shell,
  flags: Flags,
): Promise<Pick<Show, 'start'> & { leave(): void }> => {
  await archive.claim(id)
  const { options, refresh } = await reachFor(fold(await archive.read(id)), shell, flags)
  const table = createRoundtable({ ...options, store: archive, clock: shell.clock })
  const log = await begunAgain(await archive.read(id), archive, shell.clock)
  const over = new AbortController()
  refresh(over.signal)
  return { start: signal => running(table, log, signal), leave: () => over.abort() }
}
