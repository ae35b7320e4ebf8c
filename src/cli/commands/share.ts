/** `share`: a link that shows one session, and nothing else, to whoever has it. */
import type { Command } from 'commander'
import { idOf, withArchive } from '../archive/sessions.ts'
import type { Shell } from '../terminal/shell.ts'

const share = (name: string, revoke: boolean, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const links = await import('../../server/shares.ts')
    const id = await idOf(name, archive)
    if (revoke) {
      const token = await links.unshare(archive, id)
      shell.stdout.write(
        token === undefined ? `${id} is not shared.\n` : `The link to ${id} opens nothing any more.\n`,
      )
      return
    }
    const server = await archive.server()
    const { path } = await links.share(archive, id)
    shell.stdout.write(`${server?.address ?? ''}${path}\n`)
    shell.stderr.write(
      server
        ? `Whoever has this link can read ${id}; roundtable share ${id} --revoke takes it back.\n`
        : 'The path is behind the address of your server, which is not running: roundtable serve\n',
    )
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--revoke', 'take the link back')
    .action((name: string, flags: { readonly revoke?: boolean }) => share(name, flags.revoke ?? false, shell))
}
