/** `backup`: all sessions, tags, line-ups and settings in one file. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { backupLines } from '../../store/archive/backup.ts'
import { withArchive } from '../archive/sessions.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

async function* ended(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/** Written under another name and renamed at the end: an interrupted backup must not look like a complete one. */
const backup = (name: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const path = resolve(shell.cwd, name)
    if (existsSync(path)) throw new UsageError(`${name} already exists: choose another name.`)
    const part = `${path}.part`
    try {
      const squeeze = name.endsWith('.gz') ? createGzip() : new PassThrough()
      const file = createWriteStream(part, { mode: 0o600, flush: true })
      await pipeline(Readable.from(ended(backupLines(archive))), squeeze, file)
      await rename(part, path)
    } finally {
      await rm(part, { force: true })
    }
    shell.stdout.write(`Written to ${name}. To restore it: ${programName()} restore ${name}\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .addHelpText('after', '\nThe file has one JSON value per line. It is compressed if its name ends in .gz.')
    .action((name: string) => backup(name, shell))
}
