/** Programs that start `roundtable mcp`, and what their configuration needs. */

import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { UsageError } from '../core/basics.ts'
import { programName } from '../terminal/program-name.ts'
import { answerOf, asking, canAsk, printable, type Shell } from '../terminal/terminal.ts'

/** What a host has to start. */
export interface StartCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** Where a host keeps its configuration. */
export interface HostPlace {
  readonly home: string
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

export interface McpHost {
  readonly id: string
  readonly label: string
  file(place: HostPlace): string
  /** The whole file with the entry in it. Throws UsageError if the file can't be read. */
  withEntry(text: string, start: StartCommand): string
  /** The file in the layout in which it would be written, to compare. */
  normal(text: string): string
}

type Settings = Record<string, unknown>

const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsed = (text: string): Settings => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isSettings(value)) return value
  } catch {
    // The words below say it.
  }
  throw new UsageError('The file is not plain JSON, perhaps because of comments. Add this by hand:')
}

type FileForm = Pick<McpHost, 'withEntry' | 'normal'>

const written = (settings: Settings): string => `${JSON.stringify(settings, null, 2)}\n`

const normal: FileForm['normal'] = text => (text.trim() === '' ? '' : written(parsed(text)))

const added = (settings: Settings, key: string, entry: object): Settings => {
  const servers = isSettings(settings[key]) ? settings[key] : {}
  return { ...settings, [key]: { ...servers, roundtable: entry } }
}

/** An object of servers by name, under one key of a JSON file. */
const jsonFile = (key: string, entry: (start: StartCommand) => object): FileForm => ({
  normal,
  withEntry: (text, start) => written(added(parsed(text), key, entry(start))),
})

/** Version 2 still reads the form of version 1, but a file that has its own form must not get both. */
const opencodeFile: FileForm = {
  normal,
  withEntry(text, { command, args }) {
    const settings = parsed(text)
    const entry = { type: 'local', command: [command, ...args] }
    const { mcp } = settings
    return isSettings(mcp) && isSettings(mcp.servers) && mcp.servers.type === undefined
      ? written({ ...settings, mcp: added(mcp, 'servers', entry) })
      : written(added(settings, 'mcp', { ...entry, enabled: true }))
  },
}

const plain = ({ command, args }: StartCommand): object => ({ command, args })

const tomlSection = '[mcp_servers.roundtable]'

/** Only adds: what stands in the file is left as it is. */
const tomlFile: FileForm = {
  normal: text => text,
  withEntry(text, { command, args }) {
    const section = [tomlSection, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`]
    if (text.includes(section.join('\n'))) return text
    if (text.includes(tomlSection))
      throw new UsageError(`The file has a section ${tomlSection} already. Change it by hand to this:`)
    return `${text.trim() === '' ? '' : `${text.trimEnd()}\n\n`}${section.join('\n')}\n`
  },
}

const desktopFolder = ({ home, platform }: HostPlace): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude')
  return platform === 'win32' ? join(home, 'AppData', 'Roaming', 'Claude') : join(home, '.config', 'Claude')
}

export const mcpHosts: readonly McpHost[] = [
  {
    id: 'claude-code',
    label: 'Claude Code (this folder)',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    ...jsonFile('mcpServers', plain),
  },
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    file: place => join(desktopFolder(place), 'claude_desktop_config.json'),
    ...jsonFile('mcpServers', plain),
  },
  {
    id: 'cursor',
    label: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    ...jsonFile('mcpServers', plain),
  },
  {
    id: 'vscode',
    label: 'VS Code (this folder)',
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    ...jsonFile('servers', start => ({ type: 'stdio', ...plain(start) })),
  },
  {
    id: 'codex',
    label: 'Codex',
    file: ({ home }) => join(home, '.codex', 'config.toml'),
    ...tomlFile,
  },
  {
    id: 'opencode',
    label: 'opencode',
    file: ({ home }) => join(home, '.config', 'opencode', 'opencode.json'),
    ...opencodeFile,
  },
]

export const hostNamed = (id: string): McpHost => {
  const found = mcpHosts.find(host => host.id === id)
  if (found) return found
  throw new UsageError(`There is no client "${id}". There are ${mcpHosts.map(host => host.id).join(', ')}.`)
}

// change: What writing a file would change, in lines. The rest of it isn't shown: it may hold the keys of other servers.

const linesOf = (text: string): string[] => (text.trim() === '' ? [] : text.trimEnd().split('\n'))

/** JSON needs a comma after what was the last entry: that alone is no change to tell. */
const bare = (line: string | undefined): string | undefined => line?.replace(/,$/, '')

const sharedStart = (one: readonly string[], other: readonly string[]): number => {
  const end = one.findIndex((line, index) => bare(line) !== bare(other[index]))
  return Math.min(end === -1 ? one.length : end, other.length)
}

/** Lines that go, then lines that come. */
export const changeBetween = (before: string, after: string): string[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const start = sharedStart(old, fresh)
  const end = sharedStart(old.slice(start).reverse(), fresh.slice(start).reverse())
  return [
    ...old.slice(start, old.length - end).map(line => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map(line => `+ ${line}`),
  ]
}

// install: `mcp install`: shows what a client's configuration needs, and writes it if asked to. A copy of the file is kept.

export interface InstallFlags {
  readonly write?: boolean
  readonly yes?: boolean
}

/** The program that runs now: `roundtable` may not be on the path of a program with windows. */
const ownStart = (): StartCommand => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../main/main${import.meta.url.slice(-3)}`, import.meta.url)), 'mcp'],
})

const ownPlace = ({ cwd }: Shell): HostPlace => ({ home: homedir(), cwd, platform: process.platform })

const addedEntry = (host: McpHost): string => host.withEntry('', ownStart()).trimEnd()

const printAll = (place: HostPlace, shell: Shell): void => {
  for (const host of mcpHosts)
    shell.stdout.write(`${host.label} (${host.id}), in ${host.file(place)}:\n\n${addedEntry(host)}\n\n`)
  shell.stdout.write(`To write one of them: ${programName()} mcp install <client> --write\n`)
}

/** An earlier copy is never written over: it may be the only one of the file as the person wrote it. */
const keepCopy = (file: string): string => {
  for (let count = 1; ; count++) {
    const copy = `${file}.before-roundtable${count === 1 ? '' : `-${count}`}`
    if (existsSync(copy)) continue
    copyFileSync(file, copy, constants.COPYFILE_EXCL)
    return copy
  }
}

const agreed = async (file: string, { yes }: InstallFlags, shell: Shell): Promise<boolean> => {
  if (yes) return true
  if (!canAsk(shell)) throw new UsageError('Nothing was written. Add --yes to write it without being asked.')
  const { confirm } = await import('@clack/prompts')
  const options = { message: `Write ${file}?`, ...asking(shell, new AbortController().signal) }
  return answerOf(await confirm(options), 'Interrupted: nothing was written.')
}

/** If the file can't be read, the person learns which one, and what to add to it. */
const withEntry = (host: McpHost, before: string, file: string): string => {
  try {
    return host.withEntry(before, ownStart())
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${file}: ${error.message}\n\n${addedEntry(host)}`)
  }
}

export const install = async (
  client: string | undefined,
  flags: InstallFlags,
  shell: Shell,
  place = ownPlace(shell),
): Promise<void> => {
  if (client === undefined) {
    if (flags.write)
      throw new UsageError(`Say for which client: ${programName()} mcp install <client> --write`)
    printAll(place, shell)
    return
  }
  const host = hostNamed(client)
  const file = host.file(place)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withEntry(host, before, file)
  const change = changeBetween(host.normal(before), after)
  if (change.length === 0) {
    shell.stdout.write(`${file} has this entry already.\n`)
    return
  }
  const shown = printable(change.join('\n'), shell.stdout)
  shell.stdout.write(
    `${host.label}: ${before === '' ? 'a new file' : 'a change to'} ${file}:\n\n${shown}\n\n`,
  )
  if (!flags.write) {
    shell.stdout.write('Add --write to write it.\n')
    return
  }
  if (!(await agreed(file, flags, shell))) {
    shell.stdout.write('Nothing was written.\n')
    return
  }
  const kept = before === '' ? '' : ` The file as it was is at ${keepCopy(file)}.`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, after)
  shell.stdout.write(`Written.${kept} Restart ${host.label.replace(/ \(.*/, '')}.\n`)
}

// mcp: `mcp`: the table as tools for agents, chats and editors, over standard input and output.

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
    import('./mcp-server.ts'),
    import('../terminal/config.ts'),
    import('./host.ts'),
    import('./remote-tables.ts'),
    import('../terminal/program-name.ts'),
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
  await install(client, flags, shell)
}

const help = `
Without an action, it serves the tools on standard input and output, for the client that started it.

Actions:
  install [client]  print the configuration of all clients, or of one

Clients: ${mcpHosts.map(({ id }) => id).join(', ')}`

export const defineMcp = (command: Command, shell: Shell): void => {
  command
    .option('--write', 'with "install": write the file after asking, and keep a copy of it as it was')
    .option('--yes', 'with "install --write": write it without asking')
    .addHelpText('after', help)
    .action((action: string | undefined, client: string | undefined, flags) =>
      act(action, client, flags, shell),
    )
}
