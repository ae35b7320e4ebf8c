/** Has a moderator read an imported transcript; what it finds goes into the log, and code compares. */
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { fold } from '../core/log/state.ts'
import { checkSteps } from '../protocols/check-steps.ts'
import type { ModeratorCommand } from '../protocols/moderator/index.ts'
import { meterFor } from '../runtime/budget.ts'
import type { RunContext } from '../runtime/context.ts'
import { moderate } from '../runtime/moderate.ts'
import { type Runner, writer } from '../runtime/run.ts'
import type { Reach } from '../table/reach.ts'
import { placeName, placeOf } from '../table/seating.ts'
import { moderatorFor } from '../table/usual-table.ts'

const isModerators = (command: { readonly type: string }): command is ModeratorCommand =>
  command.type !== 'open-round' && command.type !== 'ask-seat' && command.type !== 'finish'

/** Whoever was named, or else a strong model that is connected. */
export const checkerOf = (wish: string | undefined, reach: Reach): string => {
  const connected = (id: string): boolean => reach.connections.some(({ maker }) => maker.id === id)
  const name =
    wish ?? (reach.connections.length > 0 ? moderatorFor([], reach.catalogue(), connected) : undefined)
  if (name === undefined)
    throw new UsageError('No model can read the transcript: name a moderator, or set a key.', 'no-moderator')
  const place = placeOf(name, reach)
  if (place.provider.known(place.model).small)
    throw new UsageError(`${placeName(place)} is too small to read a transcript: name another moderator.`)
  return placeName(place)
}

/** Gives back the whole log. A check that was made before is made anew. */
export const checkTranscript = async (
  runner: Runner,
  moderator: string,
  begun: readonly SessionEvent[],
): Promise<SessionEvent[]> => {
  if (!fold(begun).imported)
    throw new UsageError(
      'Only an imported transcript makes claims that can be checked: this one was counted.',
    )
  const { log, session, append } = writer(runner, begun)
  const context: RunContext = { ...runner, gates: runner.lane(), meter: meterFor(undefined, []) }
  await append([{ type: 'check-opened', moderator }])
  for (;;) {
    const commands = checkSteps(session()).filter(isModerators)
    if (commands.length === 0) return log
    const found = await Promise.all(commands.map(command => moderate(context, session(), command)))
    await append(found.flat())
    if (runner.signal.aborted) return log
  }
}
