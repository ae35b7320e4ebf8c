/** `backup`: all sessions, tags, line-ups and settings in one file, here or in storage that speaks S3. */
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { backupLines } from '../../store/archive/backup.ts'
import { isS3, putFile } from '../archive/s3.ts'
import { withArchive } from '../archive/sessions.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

async function* ended(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/** Into storage that speaks S3: by a file of its own, because a request needs the size and the checksum first. */
const backupToStorage = (name: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const folder = await mkdtemp(join(tmpdir(), 'roundtable-backup-'))
    try {
      const path = join(folder, 'backup')
      await writeLines(archive, path, name.endsWith('.gz'))
      await putFile(path, name, shell.env)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    shell.stdout.write(`Written to ${name}. To restore it: ${programName()} restore ${name}\n`)
  })

const writeLines = async (archive: Archive, path: string, packed: boolean): Promise<void> => {
  const squeeze = packed ? createGzip() : new PassThrough()
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  await pipeline(Readable.from(ended(backupLines(archive))), squeeze, file)
}

/** Written under another name and renamed at the end: an interrupted backup must not look like a complete one. */
const backup = (name: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const path = resolve(shell.cwd, name)
    if (existsSync(path)) throw new UsageError(`${name} already exists: choose another name.`)
    const part = `${path}.part`
    try {
      await writeLines(archive, part, name.endsWith('.gz'))
      await rename(part, path)
    } finally {
      await rm(part, { force: true })
    }
    shell.stdout.write(`Written to ${name}. To restore it: ${programName()} restore ${name}\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .addHelpText(
      'after',
      '\nThe file has one JSON value per line. It is compressed if its name ends in .gz.\nA name such as s3://bucket/sessions.jsonl.gz writes it to storage that speaks S3.',
    )
    .action((name: string) => (isS3(name) ? backupToStorage(name, shell) : backup(name, shell)))
}
