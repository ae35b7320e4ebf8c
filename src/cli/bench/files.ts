/** What the `bench` commands share: reading votes, showing progress, writing the page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pageOf } from '../../bench/page/index.ts'
import { type Recording, recordingFrom, seatsNamed, withSeats } from '../../bench/votes.ts'
import { UsageError } from '../../core/errors.ts'
import { listFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

const textOf = (path: string, { cwd }: Pick<Shell, 'cwd'>): string => {
  try {
    return readFileSync(resolve(cwd, path), 'utf8')
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** The recorded votes in a file, for the seats that were asked for. */
export const recordingIn = (
  path: string,
  seats: string | undefined,
  folder: Pick<Shell, 'cwd'>,
): Recording => {
  const text = textOf(path, folder)
  try {
    const recording = recordingFrom(text)
    return seats === undefined
      ? recording
      : withSeats(recording, seatsNamed(recording.seats, listFrom(seats)))
  } catch (error) {
    if (error instanceof UsageError && !error.message.startsWith('--')) {
      throw new UsageError(`${path}: ${error.message}`)
    }
    throw error
  }
}

/** "Replaying 7/20", on a terminal only; erased at the end. */
export const progressOn =
  (shell: Shell, doing: string) =>
  (done: number, of: number): void => {
    if (!shell.stderr.isTTY) return
    shell.stderr.write(done < of ? `\r${doing} ${done}/${of}` : `\r${' '.repeat(doing.length + 12)}\r`)
  }

export const writePage = (path: string, parts: Parameters<typeof pageOf>[0], shell: Shell): void => {
  writeFileSync(resolve(shell.cwd, path), pageOf(parts))
  shell.stderr.write(`Written to ${path}\n`)
}
