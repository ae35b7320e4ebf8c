/** What the parts of `bench` share: reading votes, showing progress, writing the page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pageOf } from '../../bench/page/index.ts'
import { type Recording, recordingFrom, seatsNamed, withSeats } from '../../bench/votes.ts'
import { located, UsageError } from '../../core/errors.ts'
import { listFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

const textOf = (path: string, shell: Shell): string => {
  try {
    return readFileSync(resolve(shell.cwd, path), 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** The recorded votes of a file, of the seats that were asked for. */
export const recordingIn = (path: string, seats: string | undefined, shell: Shell): Recording => {
  const text = textOf(path, shell)
  try {
    const recording = recordingFrom(text)
    return seats === undefined
      ? recording
      : withSeats(recording, seatsNamed(recording.seats, listFrom(seats)))
  } catch (error) {
    throw located(path, error)
  }
}

/** "Replaying 7/20", on a terminal only; gone once it is done. */
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
