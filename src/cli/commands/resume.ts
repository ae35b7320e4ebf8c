/** `resume`: a session that was stopped, or left unfinished by a crash, goes on. */
import type { Command } from 'commander'
import type { Shared } from '../../store/shared/shared.ts'
import type { OutputFlags, Show } from '../session/run-session.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'

type Flags = OutputFlags & { readonly yes?: boolean }

/** A server goes on with what was stopped, and shows what it is running; what a crash left behind, it does not know. */
const onServer = async (
  id: string,
  archive: Shared,
  remarks: Remarks,
): Promise<Show['start'] | undefined> => {
  const server = await archive.server()
  if (!server) return undefined
  const [{ remoteSessions }, { fold }] = await Promise.all([
    import('../../client/sessions.ts'),
    import('../../core/log/state.ts'),
  ])
  const log = await archive.read(id)
  const sessions = remoteSessions(server, { away: remarks.tell })
  if (fold(log).outcome) return signal => sessions.resume(id, log.length - 1, signal)
  const isRun = (await archive.running())?.includes(id)
  return isRun ? signal => sessions.follow(id, log.length - 1, signal) : undefined
}

const resume = async (name: string, flags: Flags, shell: Shell): Promise<number> => {
  const [{ idOf, withArchive }, { showSession, checkOutput }, { createRemarks }, { resumeHere }] =
    await Promise.all([
      import('../archive/sessions.ts'),
      import('../session/run-session.ts'),
      import('../terminal/remarks.ts'),
      import('../session/resume-here.ts'),
    ])
  checkOutput(flags)
  const remarks = createRemarks()
  return withArchive(
    shell,
    async archive => {
      const id = await idOf(name, archive)
      const start = await onServer(id, archive, remarks)
      if (start) return showSession({ start, remarks }, flags, shell)
      const here = await resumeHere(id, archive, shell, flags)
      return showSession({ start: here.start, remarks }, flags, shell).finally(here.leave)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'fetch the built-in model without asking, where it sits at the table')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print the session as one JSON document, and nothing else')
    .option('--events', 'print every event as one line of JSON, those of before first')
    .addHelpText('after', '\nWhat was answered before is kept and not asked for again.')
    .action(async (name: string, flags: Flags) => finish(await resume(name, flags, shell)))
}
