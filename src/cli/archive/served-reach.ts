/** What a server or worker can seat, the tour's voices among it, and how it runs sessions. */
import type { Session } from '../../core/log/state.ts'
import { tour } from '../../library/tour.ts'
import { createRuntime, type Runtime } from '../../runtime/runtime.ts'
import type { Slots } from '../../runtime/slots.ts'
import type { Store } from '../../store/store.ts'
import { type Config, type OpenReach, openReach } from '../../table/index.ts'
import { refuseFiles } from '../../table/resolve-ask.ts'
import type { Shell } from '../terminal/shell.ts'

export const servedReach = (config: Config, { cwd, clock }: Shell): Promise<OpenReach> =>
  openReach(config, { cwd, clock, providers: tour().options.providers ?? [] })

export const runtimeOn =
  (reach: OpenReach, clock: () => number) =>
  (store: Store, slots: Slots): Runtime => {
    const { providers, protocols } = reach
    const refuse = (session: Session): void => refuseFiles(session, reach)
    return createRuntime({ providers, protocols, store, slots, refuse, clock })
  }
