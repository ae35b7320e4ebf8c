/** A queue between those who make things and the one who waits for them. */

export interface Channel<T> extends AsyncIterable<T> {
  put(item: T): void
  /** What was put before is still taken. */
  close(): void
  fail(error: unknown): void
  /** The next item; undefined once the channel is closed and empty. */
  take(): Promise<T | undefined>
}

export const channel = <T>(items: T[] = []): Channel<T> => {
  let closed = false
  let failure: { error: unknown } | undefined
  let wake: (() => void) | undefined
  const stir = (): void => {
    wake?.()
    wake = undefined
  }
  let read = 0
  const take = async (): Promise<T | undefined> => {
    while (read === items.length && !closed && !failure) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    if (read < items.length) {
      const item = items[read++]
      if (read === items.length) {
        items.length = 0
        read = 0
      }
      return item
    }
    if (failure) throw failure.error
    return undefined
  }
  return {
    put(item) {
      items.push(item)
      stir()
    },
    close() {
      closed = true
      stir()
    },
    fail(error) {
      failure ??= { error }
      stir()
    },
    take,
    async *[Symbol.asyncIterator]() {
      for (let item = await take(); item !== undefined; item = await take()) yield item
    },
  }
}
