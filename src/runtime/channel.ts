/** A queue between those who put items and one reader who waits for them. */

/** It has one reader at a time. An async generator would cost several turns of the event loop for each token. */
export interface Channel<T> extends AsyncIterableIterator<T, undefined> {
  put(item: T): void
  /** The reader still gets what was put before. */
  close(): void
  /** The reader gets the error after what was put before. */
  fail(error: unknown): void
}

type Taken<T> = IteratorResult<T, undefined>

export const channel = <T>(before: readonly T[] = [], onLeave: () => void = () => {}): Channel<T> => {
  const items = [...before]
  let read = 0
  let closed = false
  let failure: { error: unknown } | undefined
  let waiting: { resolve(taken: Taken<T>): void; reject(error: unknown): void } | undefined

  const end = (): void => {
    const reader = waiting
    waiting = undefined
    if (failure) reader?.reject(failure.error)
    else reader?.resolve({ value: undefined, done: true })
  }
  const nextItem = (): T => {
    const item = items[read++]!
    if (read === items.length) {
      items.length = 0
      read = 0
    }
    return item
  }
  return {
    put(item) {
      const reader = waiting
      waiting = undefined
      if (reader) reader.resolve({ value: item, done: false })
      else items.push(item)
    },
    close() {
      closed = true
      end()
    },
    fail(error) {
      failure ??= { error }
      end()
    },
    next() {
      if (read < items.length) return Promise.resolve({ value: nextItem(), done: false })
      if (failure) return Promise.reject(failure.error)
      if (closed) return Promise.resolve({ value: undefined, done: true })
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
      })
    },
    return() {
      onLeave()
      return Promise.resolve({ value: undefined, done: true })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
