/** `mcp install`: shows what a client's configuration needs, and writes it if asked to. A copy of the file is kept. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../core/errors.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'
import { type HostPlace, hostNamed, type McpHost, mcpHosts, type StartCommand } from './hosts.ts'

const suffix = '.before-roundtable'

/** The program that runs now: `roundtable` may not be on the path of a program with windows. */
const ownStart = (): StartCommand => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../main${import.meta.url.slice(-3)}`, import.meta.url)), 'mcp'],
})

const ownPlace = ({ cwd }: Shell): HostPlace => ({ home: homedir(), cwd, platform: process.platform })

const added = (host: McpHost): string => host.withEntry('', ownStart()).trimEnd()

const printAll = (place: HostPlace, shell: Shell): void => {
  for (const host of mcpHosts)
    shell.stdout.write(`${host.label} (${host.id}), in ${host.file(place)}:\n\n${added(host)}\n\n`)
  shell.stdout.write(`To write one of them: ${programName()} mcp install <client> --write\n`)
}

export const install = (
  client: string | undefined,
  write: boolean,
  shell: Shell,
  place = ownPlace(shell),
): void => {
  if (client === undefined) {
    if (write) throw new UsageError(`Say for which client: ${programName()} mcp install <client> --write`)
    printAll(place, shell)
    return
  }
  const host = hostNamed(client)
  const file = host.file(place)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = host.withEntry(before, ownStart())
  shell.stdout.write(`${host.label}: ${file} ${before === '' ? 'would be' : 'would become'}:\n\n${after}\n`)
  if (!write) {
    shell.stdout.write('Add --write to write it.\n')
    return
  }
  if (before !== '') copyFileSync(file, `${file}${suffix}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, after)
  const kept = before === '' ? '' : ` The file as it was is at ${file}${suffix}.`
  shell.stdout.write(`Written.${kept} Restart ${host.label.replace(/ \(.*/, '')}.\n`)
}
