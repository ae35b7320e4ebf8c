/** What the `bench` commands share: reading votes, showing progress, writing the page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pageOf } from '../../bench/page/index.ts'
import { type Recording, recordingFrom, seatsNamed, withSeats } from '../../bench/votes.ts'
import { located, UsageError } from '../../core/errors.ts'
import { listFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

const textOf = (path: string, { cwd }: Pick<Shell, 'cwd'>): string => {
  try {
    return readFileSync(resolve(cwd, path), 'utf8')
  } catch (error) {
    throw new UsageError(`it can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Puts the file or option that a mistake is in before its message. */
const named = <T>(source: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw located(source, error)
  }
}

/** The recorded votes in a file, for the seats that were asked for. */
export const recordingIn = (
  path: string,
  seats: string | undefined,
  folder: Pick<Shell, 'cwd'>,
): Recording => {
  const recording = named(path, () => recordingFrom(textOf(path, folder)))
  if (seats === undefined) return recording
  return named('--seats', () => withSeats(recording, seatsNamed(recording.seats, listFrom(seats))))
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
