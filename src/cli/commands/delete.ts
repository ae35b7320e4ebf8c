/** `delete`: deletes a saved session permanently. */
import type { Command } from 'commander'
import { idOf, withArchive } from '../archive/sessions.ts'
import type { Shell } from '../terminal/shell.ts'

const remove = (name: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const [{ unshare }, { revokeLinks }, { fold }] = await Promise.all([
      import('../../server/shares.ts'),
      import('../../server/seat-links.ts'),
      import('../../core/log/state.ts'),
    ])
    await unshare(archive, id)
    await revokeLinks(archive, fold(await archive.read(id)))
    await archive.remove(id)
    shell.stdout.write(`Deleted ${id}.\n`)
  })

export const define = (command: Command, shell: Shell): void => {
  command.action((name: string) => remove(name, shell))
}
