/** The configuration of a command. What the folder's files want of the person is asked about once, or reported. */
import { type Config, type FolderRequest, loadConfig, trustPlace } from '../../table/config.ts'
import { rememberAnswer } from '../../table/trusted-folders.ts'
import { oneLine } from './cells.ts'
import { claimLines } from './claim-words.ts'
import { programName } from './program-name.ts'
import { answerOf, asking, canAsk } from './prompting.ts'
import type { Shell } from './shell.ts'

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
    `The files in ${oneLine(shell.cwd)} want to use your keys or your sessions:\n${claimLines(claims).join('\n')}\n`,
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
