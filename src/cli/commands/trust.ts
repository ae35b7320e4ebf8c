/** `trust`: lets the files of a folder decide which addresses get keys, and where sessions are saved. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { loadConfig, trustPlace } from '../../table/config.ts'
import { forgetAnswer, rememberAnswer } from '../../table/trusted-folders.ts'
import { oneLine } from '../terminal/cells.ts'
import { claimLines } from '../terminal/claim-words.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

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

export const define = (command: Command, shell: Shell): void => {
  command
    .option('--revoke', 'take the agreement back')
    .action((folder: string | undefined, flags: { readonly revoke?: boolean }) => {
      const surroundings = { ...shell, cwd: resolve(shell.cwd, folder ?? '.') }
      shell.stdout.write(`${flags.revoke ? revoke(surroundings) : agree(surroundings)}\n`)
    })
}
