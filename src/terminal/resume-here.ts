/** Resumes a session in this process, from the end of its log. */

import { resolve } from 'node:path'
import { UsageError } from '../core/basics.ts'
import { type LiveEvent, type SessionEvent, stamped } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { resumed } from '../count/acts.ts'
import { documentOf } from '../exports/json.ts'
import type { Provider } from '../models/provider.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { channel } from '../run/run.ts'
import { createRuntime, type Runtime } from '../run/runtime.ts'
import type { Shared } from '../store/shared.ts'
import { namesIn } from '../table/ask.ts'
import { type OpenReach, openReach } from '../table/open-reach.ts'
import { builtInNamedBy, filesNamedBy } from '../table/resolve.ts'
import { askerAt } from './ask-flags.ts'
import { configAt } from './config.ts'
import { programName } from './program-name.ts'
import { mySeatIn, runWithOwnSeat, type Show } from './run-session.ts'
import { canAsk, oneLine, type Shell } from './terminal.ts'

type Flags = { readonly yes?: boolean; readonly file?: readonly string[] }

interface Reached {
  readonly providers: readonly Provider[]
  readonly protocols?: readonly Protocol[]
  readonly searcher?: OpenReach['searcher']
  refreshBeside(signal: AbortSignal): void
  /** Throws if the session loads a file that nobody named; also asked about newcomers, while it runs. */
  refuse?(session: Session): void
}

/** The log may have been imported, and its file may name any file of this machine. */
const refuseUnnamed = (session: Session, reach: OpenReach, { file = [] }: Flags, shell: Shell): void => {
  const named = file.map(path => `house/${resolve(shell.cwd, path)}`)
  const files = new Set(filesNamedBy(session, reach).filter(name => !named.includes(name)))
  if (files.size === 0) return
  const paths = [...files].map(name => oneLine(name.slice('house/'.length))).join(', ')
  // The paths aren't part of the command: a stranger's path in a pasted command could be a command itself.
  throw new UsageError(
    `This session loads files of this machine: ${paths}. If it may, name each of them: ${programName()} resume ${session.id} --file <path>`,
  )
}

/** The models that can be reached: as for a new question, or the script of a tour. */
const reachFor = async (session: Session, archive: Shared, shell: Shell, flags: Flags): Promise<Reached> => {
  if (session.seats.some(seat => seat.scripted)) {
    const { tour } = await import('../library/tour.ts')
    return { providers: tour().options.providers ?? [], refreshBeside() {} }
  }
  const config = await configAt(shell)
  const { cwd, clock } = shell
  const ask = { question: session.question.text, seats: session.seats, moderator: session.moderator }
  const reach = await openReach(config, { cwd, clock, ask })
  const refuse = (one: Session): void => refuseUnnamed(one, reach, flags, shell)
  refuse(session)
  const asker = askerAt(archive, config, shell, flags)
  for (const weights of builtInNamedBy(namesIn(ask))) await asker.builtIn(weights)
  return { ...reach, refuse }
}

/** The log to resume from: a session that was stopped gets an event that says it continues. */
const begunAgain = async (log: readonly SessionEvent[], archive: Shared, clock: () => number) => {
  const session = fold(log)
  if (!session.outcome) return log
  const event = stamped(resumed(session), log.length, clock)
  await archive.append(session.id, [event])
  return [...log, event]
}

const running = (runtime: Runtime, log: readonly SessionEvent[], signal: AbortSignal) => {
  const events = channel<LiveEvent>(log)
  const result = runtime.carryOn(log, { signal, publish: events.put }).then(documentOf)
  result.then(events.close, events.fail)
  return { events, result }
}

export const resumeHere = async (
  id: string,
  archive: Shared,
  shell: Shell,
  flags: Flags,
): Promise<Pick<Show, 'start' | 'own'> & { leave(): void }> => {
  await archive.ownRun(id)
  const reach = await reachFor(fold(await archive.read(id)), archive, shell, flags)
  const { providers, protocols, refuse, searcher } = reach
  const runtime = createRuntime({
    ...{ providers, searcher },
    ...(protocols && { protocols }),
    ...(refuse && { refuse }),
    store: archive,
    clock: shell.clock,
  })
  const log = await begunAgain(await archive.read(id), archive, shell.clock)
  const over = new AbortController()
  reach.refreshBeside(over.signal)
  const leave = (): void => over.abort()
  if (mySeatIn(fold(log)) !== undefined && canAsk(shell))
    return { ...runWithOwnSeat(runtime, archive, log, shell.clock, protocols), leave }
  return { start: signal => running(runtime, log, signal), leave }
}
