/** The sessions of this server, for MCP clients that reach it over HTTP. */
import { toolGuard } from '../accounts/guard.ts'
import { findQuerySchema } from '../api/sessions.ts'
import { modelsQuerySchema } from '../api/table.ts'
import { stopped } from '../count/acts.ts'
import { findModels } from '../http/routes-table.ts'
import type { Service } from '../http/service.ts'
import { act, handIn, logOf, openSession } from '../http/sessions.ts'
import { follow } from '../http/stream.ts'
import type { Tables } from './server.ts'

export const servedTables = (service: Service, origin: string): Tables => ({
  open: input => openSession(service, input),
  log: id => logOf(service, id),
  follow: (id, signal) => follow(service.engine, id, AbortSignal.any([signal, service.closing])),
  async stop(id) {
    await act(service, id, stopped)
  },
  async handIn(id, seat, body) {
    await handIn(service, id, seat, body)
  },
  async find(query) {
    const { limit, cursor, ...filter } = findQuerySchema.parse(query)
    return service.engine.archive.find(filter, { limit, ...(cursor && { cursor }) })
  },
  models: query => findModels(service, modelsQuerySchema.parse(query)),
  origin: async () => origin,
  ...(service.accounts && { permit: toolGuard(service.accounts) }),
})
