/** What can be seated in a test: what it configures, and nothing of the machine. */
import type { Config } from '../src/table/config.ts'
import type { OpenReach } from '../src/table/open-reach.ts'
import { type ReachOptions, reachOf } from '../src/table/reach.ts'

/** A configuration that says nothing; its folder is the test's own. */
export const emptyConfig = (data: string): Config => ({
  env: { ROUNDTABLE_CACHE: data },
  endpoints: [],
  providers: {},
  lineups: {},
  data,
  files: [],
})

export const testReach = (config: Config, options: ReachOptions = {}): OpenReach => {
  const { endpoints, env, providers: makers } = config
  return {
    ...reachOf({ endpoints, env, makers, usual: config, ...options }),
    config,
    refresh: async () => [],
    refreshFor: async () => {},
    refreshBeside() {},
  }
}
