/** Webhooks of a server or worker: what its runs have to tell is sent to the configured addresses. */
import type { Protocol } from '../protocols/protocol.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { createDeliveries, type DeliveryLog } from './deliver.ts'
import { newsOf } from './news.ts'
import { webhooksFrom } from './settings.ts'

export interface Webhooks {
  runtime(runtime: Runtime): Runtime
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined if none are configured. Throws UsageError if they are configured wrongly. */
export const openWebhooks = (
  env: Environment,
  log: DeliveryLog,
  protocols?: readonly Protocol[],
): Webhooks | undefined => {
  const settings = webhooksFrom(env)
  if (!settings) return undefined
  const deliveries = createDeliveries(settings, log)
  return {
    runtime: runtime => ({
      ...runtime,
      async carryOn(log, watch) {
        const after = await runtime.carryOn(log, watch)
        for (const news of newsOf(log, after, protocols)) deliveries.send(news)
        return after
      },
    }),
    close: deliveries.close,
  }
}
