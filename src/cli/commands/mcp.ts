/** `mcp`: the table as tools for agents, chats and editors, over standard input and output. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { mcpHosts } from '../mcp/hosts.ts'
import type { InstallFlags } from '../mcp/install.ts'
import type { Shell } from '../terminal/shell.ts'

/** Milliseconds after which sessions that an earlier process left are resumed, even if no tool is called. */
const firstLook = 1_000

const serveTools = async (shell: Shell): Promise<void> => {
  const [
    { serveStdio, StdioServerTransport },
    { createMcpServer },
    { configAt },
    { tableHost },
    { remoteTables },
    { packageVersion },
  ] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../server/mcp/server.ts'),
    import('../terminal/config.ts'),
    import('../mcp/host.ts'),
    import('../mcp/remote-tables.ts'),
    import('../program-version.ts'),
  ])
  const host = tableHost(await configAt(shell), shell)
  const tables = remoteTables(host)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const handle = serveStdio(() => createMcpServer(tables, packageVersion()), {
    transport: new StdioServerTransport(),
    onerror: error => shell.stderr.write(`${error.message}\n`),
  })
  const looking = setTimeout(() => host.server().catch(() => undefined), firstLook)
  shell.stdin.once('end', close)
  shell.stdin.once('close', close)
  shell.onInterrupt(close)
  await closed
  clearTimeout(looking)
  await handle.close()
  await host.close()
}

const act = async (
  action: string | undefined,
  client: string | undefined,
  flags: InstallFlags,
  shell: Shell,
): Promise<void> => {
  if (action === undefined) return serveTools(shell)
  if (action !== 'install') throw new UsageError(`There is no action "${action}". The only one is "install".`)
  const { install } = await import('../mcp/install.ts')
  await install(client, flags, shell)
}

const help = `
Without an action, it serves the tools on standard input and output, for the client that started it.

Actions:
  install [client]  print the configuration of all clients, or of one

Clients: ${mcpHosts.map(({ id }) => id).join(', ')}`

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--write', 'with "install": write the file after asking, and keep a copy of it as it was')
    .option('--yes', 'with "install --write": write it without asking')
    .addHelpText('after', help)
    .action((action: string | undefined, client: string | undefined, flags) =>
      act(action, client, flags, shell),
    )
}
