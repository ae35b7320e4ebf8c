/** Servers on this machine as a person wants them looked for: `ROUNDTABLE_LOCAL=no`, or `ollama=11500` for another port. */
import { UsageError } from '../core/errors.ts'
import { type FoundServer, findLocalServers, type LocalId, localServers } from '../providers/local.ts'
import type { Config } from './config.ts'

const portFrom = (entry: string): readonly [LocalId, number] => {
  const [name, digits = ''] = entry.split('=').map(part => part.trim())
  const server = localServers.find(({ id }) => id === name)
  const port = Number(digits)
  if (server && Number.isInteger(port) && port > 0 && port < 65_536) return [server.id, port]
  const names = localServers.map(({ id }) => id).join(', ')
  throw new UsageError(`ROUNDTABLE_LOCAL is "no", or ports such as ollama=11500, of ${names}.`)
}

export const searchLocal = async ({ env }: Pick<Config, 'env'>): Promise<readonly FoundServer[]> => {
  const wish = env.ROUNDTABLE_LOCAL?.trim() || undefined
  if (wish === 'no') return []
  return findLocalServers(Object.fromEntries(wish?.split(',').map(portFrom) ?? []))
}

/** The configuration with the servers that were found; one that is configured under the same name stays. */
export const withLocalServers = async (config: Config): Promise<Config> => {
  const taken = config.endpoints.map(({ id }) => id)
  const found = (await searchLocal(config)).filter(({ id }) => !taken.includes(id))
  const from = 'found on this machine'
  return { ...config, endpoints: [...config.endpoints, ...found.map(one => ({ ...one, keyEnv: '', from }))] }
}
