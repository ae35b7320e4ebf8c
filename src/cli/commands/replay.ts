/** `replay`: plays back a saved session as if it were live. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { sessionNamed } from '../archive/sessions.ts'
import { rendererFor } from '../session/render.ts'
import { replayPlan } from '../session/replay-plan.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { numberFrom } from '../terminal/flags.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'

const replay = async (name: string, flags: { readonly speed: string }, shell: Shell): Promise<number> => {
  const speed = numberFrom('--speed', 0.01)(flags.speed)
  const beats = replayPlan(await sessionNamed(name, shell))
  const started = shell.clock()
  const since = (): number => (shell.clock() - started) * speed
  const renderer = rendererFor({ output: shell.stdout, paint: paintFor(shell.stdout), clock: shell.clock })
  const controller = new AbortController()
  const stop = shell.onInterrupt(() => controller.abort())
  try {
    for (const { at, event } of beats) {
      const wait = (at - since()) / speed
      if (wait > 0) await sleep(wait, undefined, { signal: controller.signal })
      renderer.take(event)
    }
    return exitCodes.done
  } catch (error) {
    if (controller.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    stop()
    renderer.end()
  }
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--speed <factor>', 'how many times faster than the original', '1')
    .action(async (name: string, flags: { speed: string }) => finish(await replay(name, flags, shell)))
}
