/** Stand-ins under the names of real agents, in a folder of their own that is the whole PATH. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentProvider } from '../../src/agents/agents.ts'
import { agents } from '../../src/agents/list.ts'
import type { Provider } from '../../src/models/provider.ts'

export interface Programs {
  /** The PATH on which nothing else is found. */
  readonly path: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Adds a program that runs one of the stand-ins. */
  add(name: string, script: string, first?: string): string
  logIn(kind: string): void
  provider(id: string): Provider
  remove(): void
}

const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
export const standIn = scriptAt('stand-in.ts')
export const acpStandIn = scriptAt('acp-stand-in.ts')

export const makePrograms = (
  installed: readonly string[] = agents.map(({ command }) => command),
): Programs => {
  const base = mkdtempSync(join(tmpdir(), 'roundtable-programs-'))
  const [path, home] = [join(base, 'bin'), join(base, 'home')]
  mkdirSync(path)
  mkdirSync(home)
  const env = { PATH: path, HOME: home }
  const add = (name: string, script: string, first = name): string => {
    const file = join(path, name)
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" ${first} "$@"\n`)
    chmodSync(file, 0o755)
    return file
  }
  for (const name of installed) add(name, standIn)
  return {
    ...{ path, home, env, add },
    logIn: kind => writeFileSync(join(home, `${kind}-logged-in`), 'yes'),
    provider: id => agentProvider(agents.find(agent => agent.id === id)!, { path: join(path, id), env }),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
