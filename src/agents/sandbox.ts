/**
 * Runs a program that nobody here knows where it can read nothing of the person and write nothing that stays: with
 * bubblewrap on Linux, with sandbox-exec on macOS. The network stays open, because the program has to reach its model,
 * and neither of the two can limit it to one address.
 */

import { cp, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { findProgram, shortCommand, type Workplace } from './agents.ts'

/** What the person's own configuration says about one command. */
export interface AcpPlace {
  /** False: it runs without a sandbox, and may do whatever the person may. */
  readonly sandbox?: boolean | undefined
  /** Folders and files that it may read, such as parts of itself. In the home if the path isn't a full one. */
  readonly reads?: readonly string[] | undefined
  /** Folders and files of the home, such as its login. It gets copies, because many write there; they are removed. */
  readonly copies?: readonly string[] | undefined
}

export interface Start {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface SandboxOptions extends Start, Pick<AcpPlace, 'reads' | 'copies'> {
  readonly workplace: Workplace
}

const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'].join(':')

/** What programs and their connections need of the system. Nothing else is there, not even the rest of `/etc`. */
const ofSystem = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store', '/run/current-system/sw'],
  ...[
    '/etc/ssl',
    '/etc/pki',
    '/etc/ca-certificates',
    '/etc/crypto-policies',
    '/etc/resolv.conf',
    '/etc/hosts',
  ],
  ...['/etc/nsswitch.conf', '/etc/host.conf', '/etc/gai.conf', '/etc/passwd', '/etc/group', '/etc/localtime'],
  ...[
    '/etc/ld.so.cache',
    '/etc/ld.so.conf',
    '/etc/ld.so.conf.d',
    '/etc/alternatives',
    '/run/systemd/resolve',
  ],
]

const firstLine = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return buffer.toString('latin1', 0, bytesRead).split('\n', 1)[0] ?? ''
  } finally {
    await file.close()
  }
}

/** The program itself, the packages beside it, and what its first line says that it is run by. */
const partsOf = async (path: string, searched: string | undefined): Promise<string[]> => {
  const packages = /^.*?\/node_modules(?=\/)/.exec(path)?.[0]
  const [, named = '', other = ''] = /^#!\s*(\S+)\s*(?:-S\s+)?(\S*)/.exec(await firstLine(path)) ?? []
  const runner = named.endsWith('/env') ? await findProgram(other, searched) : named || undefined
  return [path, ...(packages ? [packages] : []), ...(runner ? [runner, await realpath(runner)] : [])]
}

/** The last of two rules for a path counts. */
export const macProfile = (home: string, own: string, reads: readonly string[]): string => {
  const places = (paths: readonly string[]): string =>
    paths.map(path => `(subpath ${JSON.stringify(path)})`).join(' ')
  return [
    '(version 1)(allow default)',
    `(deny file-read-data ${places([home, '/Users', '/Volumes', '/private/var/folders'])})`,
    '(deny file-write*)',
    ...['com.apple.SecurityServer', 'com.apple.pasteboard.1'].map(
      name => `(deny mach-lookup (global-name ${JSON.stringify(name)}))`,
    ),
    `(allow file-read* ${places([own, ...reads])})`,
    `(allow file-write* ${places([own])} (subpath "/dev"))`,
  ].join('')
}

const bubblewrap = (home: string, own: string, reads: readonly string[]): string[] => [
  ...['--unshare-all', '--share-net', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ...ofSystem.flatMap(path => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', home],
  ...reads.flatMap(path => ['--ro-bind-try', path, path]),
  ...['--bind', own, own, '--chdir', join(own, 'empty'), '--'],
]

/** Some systems let nobody but root make one, so it is tried. */
const works = new Map<string, Promise<boolean>>()
const doesWork = (path: string, args: readonly string[]): Promise<boolean> => {
  const known = works.get(path) ?? shortCommand(path, [...args, '/bin/true'], {}).then(({ good }) => good)
  works.set(path, known)
  return known
}

const toolOf: Partial<Record<NodeJS.Platform, { name: string; trial: readonly string[] }>> = {
  linux: { name: 'bwrap', trial: ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--'] },
  darwin: { name: 'sandbox-exec', trial: ['-p', '(version 1)(allow default)'] },
}

/** The home inside: empty besides these copies. */
const makeHome = async (from: string, own: string, copies: readonly string[]): Promise<string> => {
  const home = join(own, 'home')
  await mkdir(home, { mode: 0o700 })
  // A socket can't be copied, and a copy must stay inside.
  const isPlain = async (path: string): Promise<boolean> => {
    const found = await lstat(path)
    return found.isFile() || found.isDirectory() || found.isSymbolicLink()
  }
  for (const name of copies) {
    const target = join(home, name)
    if (!target.startsWith(`${home}/`)) continue
    await cp(join(from, name), target, { recursive: true, filter: isPlain }).catch(() => {})
  }
  return home
}

/** How the program is started inside a sandbox. Undefined: this system has none. */
export const inSandbox = async ({
  path,
  args,
  env,
  workplace,
  reads = [],
  copies = [],
}: SandboxOptions): Promise<Start | undefined> => {
  const tool = toolOf[process.platform]
  const program = tool && (await findProgram(tool.name, systemFolders))
  if (!program || !(await doesWork(program, tool.trial))) return undefined
  const home = env.HOME ?? homedir()
  // A link to the program would be a program without its neighbours.
  const real = await realpath(path)
  const readable = [
    ...(await partsOf(real, env.PATH)),
    ...reads.map(one => (isAbsolute(one) ? one : join(home, one))),
  ]
  const own = await realpath(workplace.base)
  const how =
    process.platform === 'darwin' ? ['-p', macProfile(home, own, readable)] : bubblewrap(home, own, readable)
  const inside = Object.entries(env).filter(([name]) => !/^(XDG_\w+|DBUS_\w+)$/.test(name))
  return {
    ...{ path: program, args: [...how, real, ...args] },
    env: { ...Object.fromEntries(inside), HOME: await makeHome(home, own, copies) },
  }
}
