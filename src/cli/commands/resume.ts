/** `resume`: continues a session that was stopped, or interrupted by a crash. */
import type { Command } from 'commander'
import type { Shared } from '../../store/shared/shared.ts'
import type { OutputFlags, Show } from '../session/run-session.ts'
import { several } from '../terminal/flags.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'

type Flags = OutputFlags & { readonly yes?: boolean; readonly file?: readonly string[] }

/** A server resumes stopped sessions and shows those it runs. It doesn't know about a session that crashed elsewhere. */
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
      if (start) return showSession({ start, remarks, earlier: archive }, flags, shell)
      const here = await resumeHere(id, archive, shell, flags)
      const { start: begin, own } = here
      return showSession(
        { start: begin, ...(own && { own }), remarks, earlier: archive },
        flags,
        shell,
      ).finally(here.leave)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'download the built-in model without asking, if the session needs it')
    .option(
      '--file <path>',
      'a model file that the session may load; repeat the flag for more files',
      several,
    )
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON, starting with the first one')
    .addHelpText('after', '\nAnswers that were already given are kept: no model is asked for them again.')
    .action(async (name: string, flags: Flags) => finish(await resume(name, flags, shell)))
}
