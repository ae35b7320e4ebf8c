/** What a server or worker can seat, the tour's voices among it, and how it runs sessions. */
import type { Session } from '../core/session.ts'
import { tour } from '../library/tour.ts'
import type { Slots } from '../run/budget.ts'
import { createRuntime, type Runtime } from '../run/runtime.ts'
import type { Store } from '../store/store.ts'
import { type Config, loadConfig } from '../table/config.ts'
import { type LiveReach, liveReach, type OpenReach, openReach } from '../table/open-reach.ts'
import { refuseFiles } from '../table/resolve.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Shell } from '../terminal/terminal.ts'

/** Opened from the given configuration first; a reload reads the configuration anew, without asking anybody. */
export const servedReach = (config: Config, shell: Shell, noAgentsBecause?: string): Promise<LiveReach> => {
  const { cwd, clock } = shell
  const providers = tour().options.providers ?? []
  let first: Config | undefined = config
  return liveReach(() => {
    const current = first ?? loadConfig(shell)
    first = undefined
    return openReach(current, { cwd, clock, providers, noAgentsBecause })
  })
}

/** The same reach, with a span for each call of its models. */
export const tracedReach = (reach: LiveReach, telemetry: Telemetry | undefined): LiveReach =>
  telemetry
    ? (Object.create(reach, { providers: { get: () => telemetry.providers(reach.providers) } }) as LiveReach)
    : reach

/** Something that happens at every run of a session. */
type AroundRuns = Pick<Telemetry, 'runtime'>

export const runtimeOn =
  (reach: OpenReach, clock: () => number, ...around: readonly (AroundRuns | undefined)[]) =>
  (store: Store, slots: Slots): Runtime => {
    const { protocols } = reach
    const refuse = (session: Session): void => refuseFiles(session, reach)
    const runtime = createRuntime({
      get providers() {
        return reach.providers
      },
      get searcher() {
        return reach.searcher
      },
      ...{ protocols, store, slots, refuse, clock },
    })
    return around.reduce<Runtime>((inner, one) => one?.runtime(inner) ?? inner, runtime)
  }
