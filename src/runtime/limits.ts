/** Holds each provider to its limits, across all sessions of this process. */
import PQueue from 'p-queue'
import type { Provider } from '../providers/provider.ts'

export interface Gates {
  /** Runs the call when the provider has room for it; rejects if the signal aborts while it waits. */
  through<T>(provider: Provider, signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

const minute = 60_000

const queueFor = ({ limits }: Provider): PQueue | undefined => {
  if (!limits?.concurrency && !limits?.requestsPerMinute) return undefined
  return new PQueue({
    ...(limits.concurrency && { concurrency: limits.concurrency }),
    ...(limits.requestsPerMinute && { intervalCap: limits.requestsPerMinute, interval: minute }),
  })
}

export const gatesFor = (providers: readonly Provider[]): Gates => {
  const queues = new Map(providers.map(provider => [provider.id, queueFor(provider)]))
  return {
    through: (provider, signal, call) => queues.get(provider.id)?.add(call, { signal }) ?? call(),
  }
}
