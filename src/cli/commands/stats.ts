/** `stats`: the track record of every model that sat at a saved table. */
import type { Command } from 'commander'
import { paintFor } from '../paint.ts'
import { trackRecordIn } from '../record.ts'
import { withArchive } from '../sessions.ts'
import type { Shell } from '../shell.ts'
import { statsView } from '../stats-view.ts'

const stats = (flags: { readonly json?: boolean }, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const record = await trackRecordIn(archive)
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(
      `${flags.json ? JSON.stringify(record, null, 2) : statsView(record, look).join('\n')}\n`,
    )
  })

export const define = (command: Command, shell: Shell): void => {
  command.option('--json', 'as JSON').action((flags: { readonly json?: boolean }) => stats(flags, shell))
}
