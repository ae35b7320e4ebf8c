/** The table of a server or worker: what its configuration reaches, the servers of this machine, the house, and the tour's voices. */
import type { Config } from '../runtime/config.ts'
import { openHouse } from '../runtime/house.ts'
import { createRoundtable, type Roundtable } from '../runtime/roundtable.ts'
import type { Slots } from '../runtime/slots.ts'
import { tour } from '../runtime/tour.ts'
import type { Store } from '../store/store.ts'
import { knownTo, patience, worthAsking } from './lists.ts'
import { withLocalServers } from './local-servers.ts'
import type { Shell } from './shell.ts'

export interface Served {
  /** With the servers that were found on this machine. */
  readonly config: Config
  table(store: Store, slots: Slots): Roundtable
  refreshModels(): Promise<unknown>
}

export const servedTable = async (configured: Config, shell: Shell): Promise<Served> => {
  const config = await withLocalServers(configured)
  const known = knownTo(config, shell.clock)
  const { endpoints, env, providers: makers, house = {} } = config
  const { catalogue } = known.lists
  return {
    config,
    table: (store, slots) =>
      createRoundtable({
        ...{ endpoints, env, makers, catalogue, store, slots },
        providers: [openHouse(house, { env, cwd: shell.cwd }), ...(tour().options.providers ?? [])],
        clock: shell.clock,
      }),
    refreshModels: () => known.lists.refresh(worthAsking(known), patience),
  }
}
