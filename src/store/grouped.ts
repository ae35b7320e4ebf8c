/**
 * Writes of many sessions go to the database together. Otherwise hundreds of sessions would wait for the disk one by one.
 */
import type { Database } from './database.ts'
import { type Append, appendLogs, checkedAppend } from './postgres-log.ts'
import { PositionTaken, type Store } from './store.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Takes what waits, at most one item of each session: a second one depends on the first. */
const nextBatch = <Item extends { readonly id: string }, Result>(
  waiting: Waiting<Item, Result>[],
): Waiting<Item, Result>[] => {
  const taken = new Map<string, Waiting<Item, Result>>()
  for (const one of waiting) if (!taken.has(one.item.id)) taken.set(one.item.id, one)
  waiting.splice(0, waiting.length, ...waiting.filter(one => taken.get(one.item.id) !== one))
  return [...taken.values()]
}

/** Calls `run` with many items at once: those that arrive while it runs go together into the next call. */
export const grouped = <Item extends { readonly id: string }, Result>(
  run: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  const runAll = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const resultOf = await run(batch.map(({ item }) => item))
      for (const { item, resolve } of batch) resolve(resultOf(item))
    } catch (error) {
      // One bad item must not fail the others.
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const one of batch) await runAll([one])
    }
  }
  const runWaiting = async (): Promise<void> => {
    running = true
    // Items that arrive in the same turn of the event loop go together.
    await new Promise(setImmediate)
    while (waiting.length > 0) await runAll(nextBatch(waiting))
    running = false
  }
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void runWaiting()
    })
}

export const groupedAppends = (database: Database): Store['append'] => {
  const append = grouped(async (appends: readonly Append[]) => {
    const stood = await appendLogs(database, appends)
    return ({ id }) => stood.has(id)
  })
  return async (id, added) => {
    const one = checkedAppend(id, added)
    if (added.length > 0 && !(await append(one))) throw new PositionTaken(id, one.first)
  }
}
