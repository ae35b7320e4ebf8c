/** `check`: has a moderator read a saved transcript, and shows what it claims beside what its texts say. */
import type { Command } from 'commander'
import { idOf, withArchive } from '../archive/sessions.ts'
import { checkSaved } from '../session/check-transcript.ts'
import type { Shell } from '../terminal/shell.ts'

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--moderator <model>', 'who reads it (default: the configured one, or a strong connected model)')
    .action((name: string, flags: { readonly moderator?: string }) =>
      withArchive(shell, async archive =>
        checkSaved(await idOf(name, archive), flags.moderator, archive, shell),
      ),
    )
}
