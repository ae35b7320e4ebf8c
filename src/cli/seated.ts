/** From what a person wishes to a table that can be asked: names looked up, local servers found, weights fetched. */
import type { Config } from '../table/config.ts'
import { askFirst, knownTo, refreshQuietly } from '../table/list-refresh.ts'
import type { AskInput } from '../table/opening.ts'
import type { ReachOptions } from '../table/reach.ts'
import { machineFor } from './machine-seats.ts'
import type { Shell } from './terminal/shell.ts'

export interface Seated {
  readonly input: AskInput
  readonly options: ReachOptions
  /** Has the lists of makers refreshed while something else runs; abort the signal when that is over. */
  refresh(signal: AbortSignal): void
}

export const seated = async (
  wish: AskInput,
  config: Config,
  shell: Shell,
  flags: { readonly yes?: boolean },
): Promise<Seated> => {
  const known = knownTo(config, shell.clock)
  const { input, endpoints, providers } = await machineFor(wish, config, known.reach, shell, flags)
  await askFirst(input, known)
  return {
    input,
    options: {
      endpoints: [...config.endpoints, ...endpoints],
      providers,
      env: config.env,
      makers: config.providers,
      catalogue: known.lists.catalogue,
    },
    refresh: signal => refreshQuietly(known, signal),
  }
}
