/** Waits for a session on behalf of a call, with progress for clients that want it. */
import type { ServerContext } from '@modelcontextprotocol/server'
import { longestSilentWait, usualWait } from '../../api/index.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { apply, fold, type Session } from '../../core/log/state.ts'
import { narrated } from '../../core/wording/narration.ts'
import { agentTurns } from '../../runtime/outside.ts'
import { Refusal } from '../problem.ts'
import type { Tables } from './tables.ts'

/** Without progress, a call ends before the client would cut it. */
const secondsFor = (wanted: number | undefined, { mcpReq }: ServerContext): number => {
  const seconds = wanted ?? usualWait
  return mcpReq._meta?.progressToken === undefined ? Math.min(seconds, longestSilentWait) : seconds
}

/** The end of a call's time. It counts from the call's arrival: to start a server, or to open a session, takes time too. */
export const endOfWait = (wanted: number | undefined, context: ServerContext): AbortSignal => {
  const end = new AbortController()
  const finish = (): void => end.abort()
  // AbortSignal.timeout is forgotten by the garbage collector if nobody listens to it while a server starts.
  const timer = setTimeout(finish, secondsFor(wanted, context) * 1_000)
  timer.unref()
  const { signal } = context.mcpReq
  if (signal.aborted) finish()
  signal.addEventListener('abort', finish, { once: true })
  return end.signal
}

/** A client that cut the call while a server starts would ask again, and pay for two sessions. */
export const serverReady = async (tables: Tables, seconds = longestSilentWait): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      reject(new Refusal(503, 'Roundtable is still starting. Nothing was asked yet: call this tool again.')),
    seconds * 1_000,
  )
  await Promise.race([tables.origin(), late]).finally(() => clearTimeout(timer))
}

/** One message for each event; the number must rise. */
const progressTo = ({ mcpReq }: ServerContext) => {
  const progressToken = mcpReq._meta?.progressToken
  return async (event: SessionEvent, lines: readonly string[]): Promise<void> => {
    if (progressToken === undefined) return
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: event.position + 1, message: lines.join('\n') },
    })
  }
}

/** The log so far when the session is over, the time is up, or the call is cancelled. */
export const waitFor = async (
  tables: Tables,
  id: string,
  end: AbortSignal,
  context: ServerContext,
): Promise<readonly SessionEvent[]> => {
  const known = await tables.log(id)
  const start = fold(known)
  // Nothing of what others said is told while it is the caller's turn.
  if (start.outcome || agentTurns(start).length > 0) return known
  const tell = progressTo(context)
  const log: SessionEvent[] = []
  let session: Session | undefined
  for await (const event of tables.follow(id, end)) {
    const before = session
    session = apply(before, event)
    log.push(event)
    if (log.length >= known.length && agentTurns(session).length > 0) break
    await tell(event, narrated(before, session, event))
  }
  return log.length >= known.length ? log : known
}
