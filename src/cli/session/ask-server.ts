/** Asks on the server that holds the archive. */
import type { PersonLink } from '../../api/index.ts'
import { remoteSessions } from '../../client/sessions.ts'
import { protocols } from '../../protocols/index.ts'
import type { Sharpened } from '../../runtime/sharpen.ts'
import type { ServerAddress } from '../../store/shared/messages.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Config } from '../../table/config.ts'
import { myName, wantsOwnSeat } from '../../table/people.ts'
import { withUsual } from '../../table/usual.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'
import type { AskTableFlags } from './ask-options.ts'
import { runSession } from './run-session.ts'
import { sharpenedInput } from './sharpen-question.ts'

/** Runs it on the server that holds the archive, with the models that it reaches. The configuration here comes first. */
export const askServer = async (
  server: ServerAddress,
  asked: AskInput,
  config: Config,
  archive: Shared,
  flags: AskTableFlags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const { input: settled, notes } = withUsual(asked, config, protocols)
  const linkWords = (links: readonly PersonLink[]): void => {
    for (const { name, path } of links)
      if (path !== null && name !== myName) remarks.tell(`${name} answers at ${server.address}${path}`)
  }
  const sessions = remoteSessions(server, { away: remarks.tell, people: linkWords })
  const propose = (signal: AbortSignal): Promise<Sharpened> => sessions.sharpen({ ...settled, signal })
  const input = flags.sharpen ? await sharpenedInput(settled, propose, flags, shell) : settled
  if (!input) return exitCodes.done
  const estimate = await sessions.estimate(input)
  return runSession(
    {
      estimate: { ...estimate, notes: [...notes, ...estimate.notes] },
      start: signal => sessions.ask({ ...input, signal }),
      ...(wantsOwnSeat(input) && { own: sessions.own }),
      mayLeave: true,
      earlier: archive,
    },
    flags,
    shell,
    remarks,
  )
}
