/** Programs that start `roundtable mcp`, and what their configuration needs. */
import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'

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
