/** Asks on the server that holds the archive. */
import type { PersonLink } from '../api/sessions.ts'
import { remoteSessions } from '../client/client.ts'
import { protocols } from '../protocols/index.ts'
import type { Sharpened } from '../run/runtime.ts'
import type { ServerAddress, Shared } from '../store/shared.ts'
import { type AskInput, myName, wantsOwnSeat, withUsual } from '../table/ask.ts'
import type { Config } from '../table/config.ts'
import { sharpenedInput } from './ask.ts'
import type { AskTableFlags } from './ask-flags.ts'
import { exitCodes } from './program-name.ts'
import { runSession } from './run-session.ts'
import type { Remarks, Shell } from './terminal.ts'

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
