/** `share`: creates a link that shows one session, and nothing else, to anyone who has it. */
import type { Command } from 'commander'
import { idOf, withArchive } from '../archive/sessions.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

const share = (name: string, revoke: boolean, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const links = await import('../../server/shares.ts')
    const id = await idOf(name, archive)
    if (revoke) {
      const token = await links.unshare(archive, id)
      shell.stdout.write(
        token === undefined ? `${id} is not shared.\n` : `The link to ${id} no longer works.\n`,
      )
      return
    }
    const server = await archive.server()
    const { path } = await links.share(archive, id)
    shell.stdout.write(`${server?.address ?? ''}${path}\n`)
    shell.stderr.write(
      server
        ? `Anyone with this link can read ${id}. To revoke it: ${programName()} share ${id} --revoke\n`
        : `Your server is not running. Start it with \`${programName()} serve\`, and put its address in front of this path.\n`,
    )
  })

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--revoke', 'revoke the link')
    .action((name: string, flags: { readonly revoke?: boolean }) => share(name, flags.revoke ?? false, shell))
}
