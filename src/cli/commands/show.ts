/** `show`: shows a saved session, or lists all of them. */
import type { Command } from 'commander'
import { fold } from '../../core/log/state.ts'
import { writeSessions } from '../archive/session-list.ts'
import { threadNamed, withArchive } from '../archive/sessions.ts'
import { header } from '../session/header.ts'
import { roundView } from '../session/round-view.ts'
import { threadView } from '../session/thread-view.ts'
import { verdictView } from '../session/verdict-view.ts'
import { printable } from '../terminal/cells.ts'
import type { Look } from '../terminal/look.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

interface ShowFlags {
  readonly full?: boolean
  readonly json?: boolean
}

const lookFor = (shell: Shell): Look => ({
  columns: shell.stdout.columns ?? 80,
  paint: paintFor(shell.stdout),
})

const list = (flags: ShowFlags, shell: Shell): Promise<void> =>
  withArchive(shell, async archive =>
    writeSessions({ sessions: await archive.list(), running: await archive.running() }, flags, shell),
  )

const show = async (name: string, flags: ShowFlags, shell: Shell): Promise<void> => {
  const { events, thread } = await threadNamed(name, shell)
  if (flags.json) {
    const { exporterNamed } = await import('../../exports/index.ts')
    shell.stdout.write(printable(exporterNamed('json').write(events, thread && { thread }), shell.stdout))
    return
  }
  const session = fold(events)
  const look = { ...lookFor(shell), full: flags.full }
  const rounds = session.roundsSoFar.flatMap(round => roundView(session, round, look))
  const lines = [
    ...header(session, look),
    ...rounds,
    ...verdictView(session, look),
    ...threadView(session, thread, look),
  ]
  shell.stdout.write(`${lines.join('\n')}\n`)
}

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--full', 'include the reasoning of every answer')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, flags: ShowFlags) =>
      name === undefined ? list(flags, shell) : show(name, flags, shell),
    )
}
