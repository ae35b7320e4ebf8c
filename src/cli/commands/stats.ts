/** `stats`: shows the track record of every model in the saved sessions. */
import type { Command } from 'commander'
import { trackRecordIn } from '../archive/record.ts'
import { withArchive } from '../archive/sessions.ts'
import { statsView } from '../archive/stats-view.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

const stats = (flags: { readonly json?: boolean }, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const record = await trackRecordIn(archive)
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(
      `${flags.json ? JSON.stringify(record, null, 2) : statsView(record, look).join('\n')}\n`,
    )
  })

export const define = (command: Command, shell: Shell): void => {
  command.option('--json', 'print JSON').action((flags: { readonly json?: boolean }) => stats(flags, shell))
}
