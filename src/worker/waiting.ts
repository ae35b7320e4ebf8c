/** Two ways to wait: for a signal or a timeout, and for one's turn. */

/** Sleeps until it is woken or the time is up. If it is woken while nobody sleeps, the next sleep ends at once. */
export const alarm = () => {
  let woken = false
  let wakeNow = (): void => {}
  return {
    wake(): void {
      woken = true
      wakeNow()
    },
    async sleep(milliseconds: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, woken ? 0 : milliseconds)
      wakeNow = resolve
      await promise
      clearTimeout(timer)
      woken = false
    },
  }
}

/** Each task begins when the one before it has ended. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const now = last.then(work)
    last = now.catch(() => {})
    return now
  }
}
