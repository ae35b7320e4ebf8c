/** Two ways to wait: for a sign or the time, and for whoever is before. */

/** Sleeps until it is woken or the time is up. Woken while nobody sleeps, the next sleep is none. */
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

/** A line in which one thing begins when the one before is over. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const now = last.then(work)
    last = now.catch(() => {})
    return now
  }
}
