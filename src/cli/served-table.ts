/** The table of a server or worker: what its configuration reaches, the servers of this machine, the house, and the tour's voices. */

import { createRoundtable, type Roundtable } from '../library/roundtable.ts'
import { tour } from '../library/tour.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Store } from '../store/store.ts'
import type { Config } from '../table/config.ts'
import { openHouse } from '../table/house.ts'
import { knownTo, patience, worthAsking } from '../table/list-refresh.ts'
import { withLocalServers } from '../table/local-servers.ts'
import type { Shell } from './terminal/shell.ts'

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
