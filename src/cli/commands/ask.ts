/** `ask`: asks a table of models a question. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import { wantsOwnSeat } from '../../table/people.ts'
import { type AskTableFlags, addAskOptions } from '../session/ask-options.ts'
import { canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

/** Somebody who has a seat must be there to answer. */
const checkOwnSeat = (input: AskInput, flags: AskTableFlags, shell: Shell): void => {
  if (!wantsOwnSeat(input)) return
  if (flags.json || flags.events || flags.repeat !== undefined || !canAsk(shell))
    throw new UsageError(
      'A seat for "me" needs a terminal to ask you on, without --json, --events and --repeat.',
    )
}

const recordIn = async (
  archive: Shared,
  flags: AskTableFlags,
): Promise<Pick<AskInput, 'record' | 'splits'>> =>
  flags.record ? (await import('../archive/record.ts')).knownFrom(archive) : {}

const withBooks = async (input: AskInput, archive: Shared): Promise<AskInput> =>
  input.letters
    ? { ...input, letters: await (await import('../archive/books.ts')).booksNamed(input.letters, archive) }
    : input

const checkFlags = (flags: AskTableFlags): void => {
  if (flags.sharpen && flags.events) throw new UsageError('--sharpen and --events cannot be used together.')
  if (flags.repeat !== undefined && flags.after !== undefined)
    throw new UsageError('--repeat and --after cannot be used together.')
  if (flags.carry !== undefined && flags.after === undefined)
    throw new UsageError('--carry says what is told of a session before: name it with --after.')
}

/** Asks a table what a request says, here or on the server that holds the archive. */
export const askTable = async (input: AskInput, flags: AskTableFlags, shell: Shell): Promise<number> => {
  const [{ configAt }, { idOf, withArchive }, { createRemarks }, { checkOutput }] = await Promise.all([
    import('../terminal/config.ts'),
    import('../archive/sessions.ts'),
    import('../terminal/remarks.ts'),
    import('../session/run-session.ts'),
  ])
  checkOutput(flags)
  const config = await configAt(shell)
  checkOwnSeat(input, flags, shell)
  const remarks = createRemarks()
  const run = async (archive: Shared): Promise<number> => {
    const after = flags.after === undefined ? {} : { after: await idOf(flags.after, archive) }
    const known = await recordIn(archive, flags)
    const asked = { ...(await withBooks(input, archive)), ...after, ...known }
    const server = flags.repeat === undefined ? await archive.server() : undefined
    if (server) {
      const { askServer } = await import('../session/ask-server.ts')
      return askServer(server, asked, config, archive, flags, shell, remarks)
    }
    const { askHere } = await import('../session/ask-here.ts')
    return askHere(asked, config, archive, flags, shell, remarks)
  }
  return withArchive(shell, run, { listen: true, moved: remarks.tell })
}

const ask = async (given: string | undefined, flags: AskTableFlags, shell: Shell): Promise<number> => {
  const [{ configAt }, { requestFrom }, { checkOutput }] = await Promise.all([
    import('../terminal/config.ts'),
    import('../session/ask-request.ts'),
    import('../session/run-session.ts'),
  ])
  checkOutput(flags)
  checkFlags(flags)
  return askTable(await requestFrom(given, flags, await configAt(shell), shell), flags, shell)
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addAskOptions(command).action(async (question: string | undefined, flags: AskTableFlags) =>
    finish(await ask(question, flags, shell)),
  )
}
