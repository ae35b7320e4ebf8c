/** The archive as faces read it: the letters of a sealed book are withheld, whoever asks. */
import { withheldLog } from '../../core/letters/withheld.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Store } from '../store.ts'

/** Remembers which logs are no sealed book: most reads are of a log's end, and only its beginning says what it is. */
const mostRemembered = 10_000

export const readersOf = <T extends Store>(store: T): T => {
  const plain = new Set<string>()
  const remember = (id: string, [first]: readonly SessionEvent[]): void => {
    if (first?.type !== 'session-opened' || first.book?.sealed) return
    if (plain.size >= mostRemembered) plain.clear()
    plain.add(id)
  }
  return {
    ...store,
    async read(id, after = -1) {
      if (after >= 0 && plain.has(id)) return store.read(id, after)
      const log = await store.read(id)
      remember(id, log)
      return withheldLog(log).slice(after + 1)
    },
    async remove(id) {
      plain.delete(id)
      await store.remove(id)
    },
  }
}
