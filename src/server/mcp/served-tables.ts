/** The sessions of this server, for MCP clients that reach it over HTTP. */
import { findQuerySchema, modelsQuerySchema } from '../../api/index.ts'
import { stopped } from '../../core/log/interjection.ts'
import { toolGuard } from '../accounts/tool-guard.ts'
import { follow } from '../follow.ts'
import { findModels } from '../routes/table.ts'
import type { Service } from '../service.ts'
import { act, handIn, logOf, openSession } from '../sessions.ts'
import type { Tables } from './tables.ts'

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
