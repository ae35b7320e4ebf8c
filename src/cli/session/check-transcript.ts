/** Has a moderator read a saved transcript; what it found goes into the log and onto the screen. */
import { fold } from '../../core/log/state.ts'
import type { Store } from '../../store/store.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'
import { checkView } from './ledger-view.ts'

export const checkSaved = async (
  id: string,
  moderator: string | undefined,
  store: Store,
  shell: Shell,
): Promise<void> => {
  const [{ loadConfig }, { createRoundtable }, { knownTo }] = await Promise.all([
    import('../../table/config.ts'),
    import('../../library/roundtable.ts'),
    import('../../table/list-refresh.ts'),
  ])
  const config = loadConfig(shell)
  const table = createRoundtable({
    endpoints: config.endpoints,
    env: config.env,
    makers: config.providers,
    catalogue: knownTo(config, shell.clock).lists.catalogue,
    store,
    clock: shell.clock,
  })
  const over = new AbortController()
  const stop = shell.onInterrupt(() => over.abort())
  try {
    const log = await table.check(await store.read(id), moderator ?? config.moderator ?? undefined, {
      signal: over.signal,
    })
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(`${checkView(fold(log), look).join('\n')}\n`)
  } finally {
    stop()
  }
}
