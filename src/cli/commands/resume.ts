/** `resume`: a session that was stopped, or left unfinished by a crash, goes on. */
import type { Command } from 'commander'
import type { OutputFlags } from '../run-session.ts'
import type { Shell } from '../shell.ts'

type Flags = OutputFlags & { readonly yes?: boolean }

const resume = async (name: string, flags: Flags, shell: Shell): Promise<number> => {
  const [{ idOf, withArchive }, { showSession, checkOutput }, { createRemarks }, { goingOn }] =
    await Promise.all([
      import('../sessions.ts'),
      import('../run-session.ts'),
      import('../remarks.ts'),
      import('../going-on.ts'),
    ])
  checkOutput(flags)
  const remarks = createRemarks()
  return withArchive(
    shell,
    async archive => {
      const { start, leave } = await goingOn(await idOf(name, archive), archive, shell, flags)
      return showSession({ start, remarks }, flags, shell).finally(leave)
    },
    { door: true, moved: remarks.tell },
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
