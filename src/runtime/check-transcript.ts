/** Has a moderator read an imported transcript; what it finds goes into the log, and code compares. */
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { fold } from '../core/log/state.ts'
import { checkSteps } from '../protocols/check-steps.ts'
import type { ModeratorCommand } from '../protocols/moderator/index.ts'
import { meterFor } from './budget.ts'
import { noPages } from './cited-pages.ts'
import type { RunContext } from './context.ts'
import { writer } from './log-writer.ts'
import { moderate } from './moderate.ts'
import { bothMeters } from './payer-meter.ts'
import type { Runner } from './runner.ts'

const isModerators = (command: { readonly type: string }): command is ModeratorCommand =>
  command.type !== 'open-round' && command.type !== 'ask-seat' && command.type !== 'finish'

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
  const context: RunContext = {
    ...runner,
    queue: runner.openQueue(),
    meter: bothMeters(meterFor(undefined, []), runner.payer),
    pages: noPages,
  }
  await append([{ type: 'check-opened', moderator }])
  for (;;) {
    const commands = checkSteps(session()).filter(isModerators)
    if (commands.length === 0) return log
    const found = await Promise.all(commands.map(command => moderate(context, session(), command)))
    await append(found.flat())
    if (runner.signal.aborted) return log
  }
}
