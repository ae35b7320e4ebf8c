/** `tour`: runs a session with replies that were written in advance, in the same way as a real one. */
import type { Command } from 'commander'
import type { OutputFlags } from '../session/run-session.ts'
import type { Shell } from '../terminal/shell.ts'

const tour = async (flags: OutputFlags, shell: Shell): Promise<number> => {
  const [
    script,
    { withArchive },
    { checkOutput, runSession },
    { createRoundtable },
    { createRemarks },
    { owningRuns },
  ] = await Promise.all([
    import('../../library/tour.ts'),
    import('../archive/sessions.ts'),
    import('../session/run-session.ts'),
    import('../../library/roundtable.ts'),
    import('../terminal/remarks.ts'),
    import('../archive/own-runs.ts'),
  ])
  checkOutput(flags)
  const { options, input } = script.tour()
  const remarks = createRemarks()
  return withArchive(
    shell,
    archive => {
      const roundtable = createRoundtable({ store: owningRuns(archive), ...options })
      const start = (signal: AbortSignal) => roundtable.ask({ ...input, signal })
      return runSession({ estimate: roundtable.estimate(input), start }, flags, shell, remarks)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON when it happens')
    .action(async (flags: OutputFlags) => finish(await tour(flags, shell)))
}
