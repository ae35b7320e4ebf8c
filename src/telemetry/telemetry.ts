/** What traces and metrics are put around. */
import type { MiddlewareHandler } from 'hono'
import type { Provider } from '../providers/provider.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Queue } from '../worker/engine.ts'

export interface Telemetry {
  /** A span for each request. */
  readonly request: MiddlewareHandler
  /** The same providers, with a span for each call. The same list gives the same list. */
  providers(providers: readonly Provider[]): readonly Provider[]
  /** A span for each run of a session, below the request that opened it. */
  runtime(runtime: Runtime): Runtime
  /** Sessions keep the request that opened them, so that any process that runs them continues its trace. */
  queue(queue: Queue): Queue
  /** Sends what is left. */
  close(): Promise<void>
}
