/** Looks for servers on this machine: `ROUNDTABLE_LOCAL=no` turns that off, `ollama=11500` says another port. */
import { UsageError } from '../core/errors.ts'
import { type FoundServer, findLocalServers, type LocalId, localServers } from '../providers/local.ts'
import type { Config } from './config.ts'

const portFrom = (entry: string): readonly [LocalId, number] => {
  const [name, digits = ''] = entry.split('=').map(part => part.trim())
  const server = localServers.find(({ id }) => id === name)
  const port = Number(digits)
  if (server && Number.isInteger(port) && port > 0 && port < 65_536) return [server.id, port]
  const names = localServers.map(({ id }) => id).join(', ')
  throw new UsageError(`ROUNDTABLE_LOCAL is "no", or ports such as ollama=11500 (for ${names}).`)
}

export const searchLocal = async ({ env }: Pick<Config, 'env'>): Promise<readonly FoundServer[]> => {
  const wish = env.ROUNDTABLE_LOCAL?.trim() || undefined
  if (wish === 'no') return []
  return findLocalServers(Object.fromEntries(wish?.split(',').map(portFrom) ?? []))
}
