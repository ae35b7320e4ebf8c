/** The files that a log names. */
import type { SessionEvent } from '../core/log/event.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import type { Store } from './store.ts'

/** Those that are there: a session may have been imported without its files. */
export const filesOf = async (
  store: Pick<Store, 'file'>,
  [first]: readonly SessionEvent[],
): Promise<StoredFile[]> => {
  if (first?.type !== 'session-opened') return []
  const hashes = new Set(first.question.attachments.flatMap(({ sha256 }) => sha256 ?? []))
  const found = await Promise.all([...hashes].map(sha256 => store.file(first.id, sha256)))
  return found.filter(file => file !== undefined)
}
