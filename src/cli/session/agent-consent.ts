/** Asks once whether the agents on this machine may be the default table. */
import type { InstalledAgent } from '../../table/agents.ts'
import { answerOf, asking, canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

const list = new Intl.ListFormat('en')

/** Undefined: nobody is there to answer, so nothing is remembered. */
export const agentConsent = async (
  ready: readonly InstalledAgent[],
  shell: Shell,
): Promise<boolean | undefined> => {
  const names = list.format(ready.map(({ label }) => label))
  if (!canAsk(shell)) {
    const seats = ready.map(({ seat }) => seat).join(',')
    shell.stderr.write(
      `${names} could answer, but you haven't agreed to that yet: name them with --seats ${seats}.\n`,
    )
    return undefined
  }
  const { confirm } = await import('@clack/prompts')
  const control = new AbortController()
  const message = `No API key and no server found, but you are logged in to ${names}. Ask them by default? They run on this machine without their tools, and your subscription pays.`
  return answerOf(
    await confirm({ message, ...asking(shell, control.signal) }),
    'Interrupted: nothing was asked.',
  )
}
