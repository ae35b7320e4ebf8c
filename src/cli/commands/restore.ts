/** `restore`: restores a backup into the configured archive. */
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { counted } from '../../core/wording/numbers.ts'
import { restoreFrom } from '../../store/archive/backup.ts'
import { linesOf } from '../archive/backup-file.ts'
import { getFile, isS3 } from '../archive/s3.ts'
import { withArchive } from '../archive/sessions.ts'
import { whyUnread } from '../terminal/file-words.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

const restoreFromStorage = async (name: string, overwrite: boolean, shell: Shell): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-restore-'))
  try {
    const path = join(folder, name.endsWith('.gz') ? 'backup.gz' : 'backup')
    await getFile(name, path, shell.env)
    await restore(path, overwrite, shell)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const restore = async (name: string, overwrite: boolean, shell: Shell): Promise<void> => {
  const path = resolve(shell.cwd, name)
  await access(path).catch(error => {
    throw new UsageError(`${name} can't be read: ${whyUnread(error)}.`)
  })
  const count = await withArchive(shell, archive => restoreFrom(() => linesOf(path), archive, { overwrite }))
  shell.stdout.write(`Restored ${counted(count, 'session')}. To see them: ${programName()} sessions\n`)
}

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--overwrite', 'replace sessions, line-ups and settings that have the same name')
    .action((name: string, flags: { readonly overwrite?: boolean }) =>
      (isS3(name) ? restoreFromStorage : restore)(name, flags.overwrite ?? false, shell),
    )
}
