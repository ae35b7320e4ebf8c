/** `import`: saves a session from a file. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { fold } from '../../core/log/state.ts'
import { counted } from '../../core/wording/numbers.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { PositionTaken } from '../../store/store.ts'
import { sessionFromFile, withArchive } from '../archive/sessions.ts'
import { checkSaved } from '../session/check-transcript.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

interface ImportFlags {
  readonly check?: boolean
  readonly moderator?: string
}

const importFile = async (path: string, flags: ImportFlags, shell: Shell): Promise<void> => {
  const { events, files } = await sessionFromFile(path, shell)
  const session = fold(events)
  if (flags.moderator !== undefined && !flags.check)
    throw new UsageError('--moderator needs --check: it names the model that reads the transcript.')
  if (flags.check && !session.imported)
    throw new UsageError(`${path} isn't a transcript: code counted its votes, so there is nothing to check.`)
  await withArchive(shell, async archive => {
    await save(archive, events, shell)
    if (files.length > 0) await archive.keepFiles(session.id, files)
    if (flags.check) await checkSaved(session.id, flags.moderator, archive, shell)
  })
}

const save = async (archive: Archive, events: readonly SessionEvent[], shell: Shell): Promise<void> => {
  const session = fold(events)
  try {
    await archive.append(session.id, events)
  } catch (error) {
    if (!PositionTaken.isInstance(error)) throw error
    throw new UsageError(
      `Session ${session.id} is already saved. To see it: ${programName()} show ${session.id}`,
    )
  }
  const seats = counted(session.seats.length, 'seat')
  shell.stdout.write(
    `Saved as ${session.id}, with ${seats}. To see it: ${programName()} show ${session.id}\n`,
  )
}

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--check', 'also check what the transcript claims against its own text, with a moderator')
    .option('--moderator <model>', 'the model that reads it, with --check')
    .action((path: string, flags: ImportFlags) => importFile(path, flags, shell))
}
