/** `fork`: asks a session's question anew, or goes on from the close of one of its rounds, with what is changed. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Opening } from '../../table/index.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import { addTableOptions } from '../session/ask-options.ts'
import type { OutputFlags } from '../session/run-session.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'

interface Flags extends AskFlags, OutputFlags {
  readonly at?: string
  readonly question?: string
  readonly yes?: boolean
}

const roundFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw new UsageError(`--at ${text}: give the number of a closed round; 0 is the sealed one.`)
}

const forkHere = async (
  id: string,
  at: number | undefined,
  changes: Partial<AskInput>,
  archive: Shared,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [
    { forkAt, openReach, resolveAsk },
    { forkOf },
    { dayId },
    { askerAt },
    { owningRuns },
    { fold },
    { configAt },
    { createRuntime },
    { runSession },
  ] = await Promise.all([
    import('../../table/index.ts'),
    import('../../table/fork.ts'),
    import('../../runtime/ids.ts'),
    import('../session/asker.ts'),
    import('../archive/own-runs.ts'),
    import('../../core/log/state.ts'),
    import('../terminal/config.ts'),
    import('../../runtime/runtime.ts'),
    import('../session/run-session.ts'),
  ])
  const { cwd, clock } = shell
  const config = await configAt(shell)
  const log = await archive.read(id)
  const input = forkOf(fold(log), changes)
  const reach = await openReach(config, { cwd, clock, ask: input })
  const asker = askerAt(archive, config, shell, flags)
  const newId = dayId(clock)()
  const settle = (wish: AskInput): Promise<Opening> => resolveAsk(wish, newId, reach, asker)
  const opening = await (at === undefined ? settle(input) : forkAt(log, at, changes, reach, settle))
  const { providers, protocols, searcher } = reach
  const runtime = createRuntime({ providers, protocols, searcher, store: owningRuns(archive), clock })
  const over = new AbortController()
  reach.refreshBeside(over.signal)
  try {
    const start = (signal: AbortSignal) => runtime.begin(opening, signal)
    return await runSession({ estimate: opening.estimate, start, earlier: archive }, flags, shell, remarks)
  } finally {
    over.abort()
  }
}

const fork = async (name: string, flags: Flags, shell: Shell): Promise<number> => {
  const [{ idOf, withArchive }, { tableInput }, { createRemarks }, { checkOutput, showSession }] =
    await Promise.all([
      import('../archive/sessions.ts'),
      import('../session/ask-flags.ts'),
      import('../terminal/remarks.ts'),
      import('../session/run-session.ts'),
    ])
  checkOutput(flags)
  const at = roundFrom(flags.at)
  const { question } = flags
  const table = tableInput(flags, shell.cwd)
  const changes = { ...table, ...(question !== undefined && { question }) }
  const remarks = createRemarks()
  return withArchive(
    shell,
    async archive => {
      const id = await idOf(name, archive)
      const server = await archive.server()
      if (!server) return forkHere(id, at, changes, archive, flags, shell, remarks)
      const { remoteSessions } = await import('../../client/sessions.ts')
      const sessions = remoteSessions(server, { away: remarks.tell })
      const start = (signal: AbortSignal) => sessions.fork(id, { ...changes, at }, signal)
      return showSession({ start, remarks, earlier: archive }, flags, shell)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addTableOptions(
    command
      .option(
        '--at <round>',
        'go on from the close of this round (0: the sealed one); without it, the question is asked anew',
      )
      .option('--question <text>', 'another wording of the question; only without --at'),
  )
    .option('--yes', 'download the built-in model without asking, if the session needs it')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON, starting with the first one')
    .addHelpText(
      'after',
      '\nWith --at, what was said up to that round is copied: only the calls after it are made, paid and counted.',
    )
    .action(async (name: string, flags: Flags) => finish(await fork(name, flags, shell)))
}
