/** `import`: saves a session out of a file. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { fold } from '../../core/state.ts'
import { PositionTaken } from '../../store/store.ts'
import { counted } from '../figures.ts'
import { eventsFromFile, withArchive } from '../sessions.ts'
import type { Shell } from '../shell.ts'

const importFile = async (path: string, shell: Shell): Promise<void> => {
  const events = await eventsFromFile(path, shell)
  const session = fold(events)
  try {
    await withArchive(shell, archive => archive.append(session.id, events))
  } catch (error) {
    if (!(error instanceof PositionTaken)) throw error
    throw new UsageError(`Session ${session.id} is saved already: roundtable show ${session.id}`)
  }
  const seats = counted(session.seats.length, 'seat')
  shell.stdout.write(`Saved as ${session.id}, with ${seats}: roundtable show ${session.id}\n`)
}

export const define = (command: Command, shell: Shell): void => {
  command.action((path: string) => importFile(path, shell))
}
