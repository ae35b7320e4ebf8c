/** `check`: a moderator reads a saved transcript; shows what the transcript claims beside what its text says. */
import type { Command } from 'commander'
import { idOf, withArchive } from '../archive/sessions.ts'
import { checkSaved } from '../session/check-transcript.ts'
import type { Shell } from '../terminal/shell.ts'

export const define = (command: Command, shell: Shell): void => {
  command
    .option(
      '--moderator <model>',
      'the model that reads it (default: the configured one, or a strong model that you have a key for)',
    )
    .action((name: string, flags: { readonly moderator?: string }) =>
      withArchive(shell, async archive =>
        checkSaved(await idOf(name, archive), flags.moderator, archive, shell),
      ),
    )
}
