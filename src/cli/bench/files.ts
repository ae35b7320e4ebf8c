/** What the `bench` commands share: reading votes, showing progress, writing the page. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type DebateSet, debatesFrom, hasRounds, withSeatsNamed } from '../../bench/debates/debates.ts'
import { pageOf } from '../../bench/page/index.ts'
import { recordedTable } from '../../bench/recorded-table.ts'
import { type Recording, recordingOf, seatsNamed, withSeats } from '../../bench/votes.ts'
import { located, UsageError } from '../../core/errors.ts'
import { wholeNumber } from '../../core/wording/numbers.ts'
import { whyUnread } from '../terminal/file-words.ts'
import { listFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

/** A larger file isn't a recording, and reading it would take all memory. */
const largestFile = 100_000_000

const textOf = (path: string, { cwd }: Pick<Shell, 'cwd'>): string => {
  const whole = resolve(cwd, path)
  const size = statSync(whole, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestFile)
    throw new UsageError(
      `it has ${wholeNumber(size)} bytes. At most ${wholeNumber(largestFile)} can be read.`,
    )
  try {
    return readFileSync(whole, 'utf8')
  } catch (error) {
    throw new UsageError(`it can't be read: ${whyUnread(error)}`)
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

/** What the files hold: the votes of one file, or the debates of any number. */
export type Recorded = { readonly votes: Recording } | { readonly debates: readonly DebateSet[] }

/** "forecast_homo" of "data/forecast_homo.csv"; the whole path if another file has the same name. */
const setName = (path: string, paths: readonly string[]): string => {
  const short = (one: string): string => basename(one).replace(/\.csv$/i, '')
  return paths.filter(one => short(one) === short(path)).length > 1 ? path : short(path)
}

/** Reads recordings, for the seats that were asked for. The columns say which kind a file is. */
export const recordedIn = (
  paths: readonly string[],
  seats: string | undefined,
  folder: Pick<Shell, 'cwd'>,
): Recorded => {
  const names = seats === undefined ? [] : listFrom(seats)
  const debates: DebateSet[] = []
  for (const path of paths) {
    const table = named(path, () => recordedTable(textOf(path, folder)))
    if (!hasRounds(table)) {
      if (paths.length > 1) throw located(path, new UsageError(oneFileOfVotes))
      const votes = recordingOf(table)
      return {
        votes:
          seats === undefined
            ? votes
            : named('--seats', () => withSeats(votes, seatsNamed(votes.seats, names))),
      }
    }
    const set = named(path, () => debatesFrom(setName(path, paths), table))
    debates.push(seats === undefined ? set : named(`--seats in ${path}`, () => withSeatsNamed(set, names)))
  }
  return { debates }
}

/** The recorded votes in a file, for the seats that were asked for. */
export const recordingIn = (
  path: string,
  seats: string | undefined,
  folder: Pick<Shell, 'cwd'>,
): Recording => {
  const recorded = recordedIn([path], seats, folder)
  if ('votes' in recorded) return recorded.votes
  throw located(path, new UsageError('its columns name rounds. Votes have one column for each model.'))
}

const oneFileOfVotes =
  'its columns name no rounds. Several files can be given at once if all are debates, with columns like model@0.'

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
