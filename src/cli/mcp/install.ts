/** `mcp install`: shows what a client's configuration needs, and writes it if asked to. A copy of the file is kept. */
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../core/errors.ts'
import { printable } from '../terminal/cells.ts'
import { programName } from '../terminal/program-name.ts'
import { answerOf, asking, canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'
import { changeBetween } from './change.ts'
import { type HostPlace, hostNamed, type McpHost, mcpHosts, type StartCommand } from './hosts.ts'

export interface InstallFlags {
  readonly write?: boolean
  readonly yes?: boolean
}

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
    throw new UsageError(`${file}: ${error.message}\n\n${added(host)}`)
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
