/** The configuration of a command: what the folder's files want of the person is asked about once, or reported. */

import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { SeatInput } from '../core/ask.ts'
import { type Config, type FolderRequest, loadConfig, trustPlace } from '../table/config.ts'
import { type FolderClaim, forgetAnswer, rememberAnswer } from '../table/config-file.ts'
import { programName } from './program-name.ts'
import { answerOf, asking, canAsk, oneLine, type Shell } from './terminal.ts'

const report = ({ withheld }: FolderRequest, shell: Shell): void => {
  const lines = [
    "roundtable: These settings of this folder's files are ignored, because you haven't agreed to them:",
    ...claimLines(withheld),
    `To agree: ${programName()} trust`,
  ]
  shell.stderr.write(`${lines.join('\n')}\n`)
}

const agreed = async ({ claims }: FolderRequest, shell: Shell): Promise<boolean> => {
  const { confirm } = await import('@clack/prompts')
  shell.stderr.write(
    `The files in ${oneLine(shell.cwd)} want to decide who sits at the table, or where your questions, keys or sessions go:\n${claimLines(claims).join('\n')}\n`,
  )
  const message = 'Do you trust this folder with that? Say no if you did not write its files.'
  const options = { message, initialValue: false, ...asking(shell, new AbortController().signal) }
  return answerOf(await confirm(options), 'Interrupted: nothing was sent.')
}

const load = async (shell: Shell): Promise<Config> => {
  const config = loadConfig(shell)
  const { request } = config
  if (!request) return config
  if (request.declined || !canAsk(shell)) {
    report(request, shell)
    return config
  }
  const answer = await agreed(request, shell)
  rememberAnswer(trustPlace(shell), request.claims, answer)
  if (!answer) return config
  const trusted = loadConfig(shell)
  // The files may have changed while the person was reading: then the answer isn't about them.
  if (trusted.request) report(trusted.request, shell)
  return trusted
}

const loaded = new WeakMap<Shell, Promise<Config>>()

/** Read once per command, so that nobody is asked twice. */
export const configAt = (shell: Shell): Promise<Config> => {
  const config = loaded.get(shell) ?? load(shell)
  loaded.set(shell, config)
  return config
}

// What a folder's files want, in words that hold no password.

/** Without user, password and query. The query of a database's address may name another host. */
const shownAddress = (address: string): string => {
  const url = address.includes('://') ? URL.parse(address) : URL.parse(`http://${address}`)
  if (!url) return "an address that can't be read"
  const host = url.searchParams.get('host') ?? url.host
  return `${url.protocol}//${host}${url.pathname.replace(/\/$/, '')}`
}

const seatWords = (seat: SeatInput): string => {
  if (typeof seat === 'string') return seat
  const { model, name, brief } = seat
  return [
    model,
    ...(name ? [`as ${JSON.stringify(name)}`] : []),
    ...(brief ? [`with the brief ${JSON.stringify(brief)}`] : []),
  ].join(' ')
}

const claimWords = ({ type, id, address, variables, seats = [] }: FolderClaim): string => {
  if (type === 'table') return `${id}: ${seats.map(seatWords).join(', ')}`
  if (type === 'sessions') {
    const place = id === 'DATABASE_URL' ? shownAddress(address!) : address
    return `sessions are saved at ${place} (${id})`
  }
  const place = address === null ? '' : ` at ${shownAddress(address)}`
  return `${id}${place} gets your questions${variables.length > 0 ? `, and ${variables.join(' or ')} if it is set` : ''}`
}

const claimLines = (claims: readonly FolderClaim[]): string[] =>
  claims.map(claim => `  ${oneLine(claimWords(claim))}`)

/** `trust` lets the files of a folder decide who is seated, which addresses get questions and keys, and where sessions are saved. */
const revoke = (surroundings: Shell): string =>
  forgetAnswer(trustPlace(surroundings))
    ? `${oneLine(surroundings.cwd)} is no longer trusted.`
    : `${oneLine(surroundings.cwd)} isn't trusted.`

const agree = (surroundings: Shell): string => {
  const { claims = [] } = loadConfig(surroundings)
  if (claims.length === 0) return `Nothing in ${oneLine(surroundings.cwd)} needs your agreement.`
  rememberAnswer(trustPlace(surroundings), claims, true)
  return [
    `You have agreed to this for ${oneLine(surroundings.cwd)}:`,
    ...claimLines(claims),
    `If its files ask for anything else, you are asked again. To take it back: ${programName()} trust --revoke`,
  ].join('\n')
}

export const defineTrust = (command: Command, shell: Shell): void => {
  command
    .option('--revoke', 'take the agreement back')
    .action((folder: string | undefined, flags: { readonly revoke?: boolean }) => {
      const surroundings = { ...shell, cwd: resolve(shell.cwd, folder ?? '.') }
      shell.stdout.write(`${flags.revoke ? revoke(surroundings) : agree(surroundings)}\n`)
    })
}
