/** `say`: adds a word of the asker to a session that runs. Seats read it in the next round. */
import type { Command } from 'commander'
import { askerSaid } from '../../core/log/acts-of-people.ts'
import { stamped } from '../../core/log/stamp.ts'
import { fold } from '../../core/log/state.ts'
import type { Shared } from '../../store/shared/shared.ts'
import { PositionTaken } from '../../store/store.ts'
import { idOf, withArchive } from '../archive/sessions.ts'
import type { Shell } from '../terminal/shell.ts'

/** The session may grow between reading and writing. */
const mostTries = 8

/** Whoever runs the session finds the word in its log. */
const appended = async (archive: Shared, id: string, words: string, to: string | undefined, shell: Shell) => {
  for (let tries = 1; ; tries++) {
    const session = fold(await archive.read(id))
    const event = stamped(askerSaid(session, words, to), session.position, shell.clock)
    try {
      return await archive.append(id, [event])
    } catch (error) {
      if (!PositionTaken.isInstance(error) || tries === mostTries) throw error
    }
  }
}

const say = (name: string, words: string, to: string | undefined, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const server = await archive.server()
    if (server) {
      const { connectTo } = await import('../../client/connection.ts')
      await connectTo(server).post(`/api/sessions/${id}/say`, { words, ...(to !== undefined && { to }) })
    } else await appended(archive, id, words, to, shell)
    shell.stdout.write(`${id}: said. The seats read it in the next round, and the report tells it.\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--to <seat>', 'only for one seat: its letter or its name')
    .action((name: string, words: readonly string[], flags: { readonly to?: string }) =>
      say(name, words.join(' '), flags.to, shell),
    )
}
