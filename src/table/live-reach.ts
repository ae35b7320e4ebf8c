/** A reach that is opened anew when the settings change, while everybody who has it goes on using it. */
import type { OpenReach } from './open-reach.ts'

export interface LiveReach extends OpenReach {
  /** If the new configuration can't be used, the old one stays, and this rejects. */
  reload(): Promise<void>
}

export const liveReach = async (open: () => Promise<OpenReach>): Promise<LiveReach> => {
  let current = await open()
  let reloading: Promise<unknown> = Promise.resolve()
  return {
    get providers() {
      return current.providers
    },
    get connections() {
      return current.connections
    },
    get found() {
      return current.found
    },
    get agents() {
      return current.agents
    },
    get protocols() {
      return current.protocols
    },
    get usual() {
      return current.usual
    },
    get searcher() {
      return current.searcher
    },
    get config() {
      return current.config
    },
    catalogue: () => current.catalogue(),
    served: provider => current.served(provider),
    refresh: everybody => current.refresh(everybody),
    refreshFor: input => current.refreshFor(input),
    refreshBeside: signal => current.refreshBeside(signal),
    async reload() {
      // One after the other: an older configuration must not replace a newer one.
      const next = reloading.then(async () => {
        current = await open()
      })
      reloading = next.catch(() => {})
      await next
    },
  }
}
