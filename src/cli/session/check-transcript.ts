/** Has a moderator read a saved transcript; what it found goes into the log and onto the screen. */
import { fold } from '../../core/log/state.ts'
import type { Store } from '../../store/store.ts'
import { configAt } from '../terminal/config.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'
import { checkView } from './ledger-view.ts'

export const checkSaved = async (
  id: string,
  moderator: string | undefined,
  store: Store,
  shell: Shell,
): Promise<void> => {
  const [{ openReach }, { createRuntime }, { checkerFor }] = await Promise.all([
    import('../../table/index.ts'),
    import('../../runtime/runtime.ts'),
    import('../../table/moderator.ts'),
  ])
  const { cwd, clock } = shell
  const ask = { question: '', seats: [], ...(moderator !== undefined && { moderator }) }
  const reach = await openReach(await configAt(shell), { cwd, clock, ask })
  const { providers, protocols } = reach
  const runtime = createRuntime({ providers, protocols, store, clock })
  const over = new AbortController()
  const stop = shell.onInterrupt(() => over.abort())
  try {
    const log = await runtime.check(await store.read(id), checkerFor(moderator, reach), {
      signal: over.signal,
    })
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(`${checkView(fold(log), look).join('\n')}\n`)
  } finally {
    stop()
  }
}
