/** What a model name of the OpenAI-compatible endpoint stands for: a table, or its moderator alone. */
import { lineupIds } from '../../table/lineups.ts'
import type { Service } from '../service.ts'
import { OpenAIError } from './errors.ts'

export interface NamedTable {
  readonly lineup?: string
  readonly protocol?: string
  /** One call of the moderator instead of a session. */
  readonly moderatorOnly?: true
}

const family = 'roundtable'
const moderatorName = `${family}/moderator`

const unknownModel = (name: string): OpenAIError =>
  new OpenAIError(
    `The model "${name}" does not exist. GET /v1/models lists all; add ":protocol" to choose how the table deliberates.`,
    { status: 404, code: 'model_not_found', param: 'model' },
  )

const lineupNames = async ({ reach, asker }: Service): Promise<string[]> => [
  ...new Set([
    ...Object.keys(await asker.lineups()),
    ...Object.keys(reach.usual.lineups ?? {}),
    ...lineupIds,
  ]),
]

/** `roundtable`, `roundtable/<lineup>`, `roundtable/<lineup>:<protocol>`, or the line-up alone. */
export const tableNamed = async (name: string, service: Service): Promise<NamedTable> => {
  if (name === moderatorName) return { moderatorOnly: true }
  const colon = name.lastIndexOf(':')
  const id = name.slice(colon + 1)
  const known = colon > 0 && service.reach.protocols.some(protocol => protocol.id === id)
  const table = known ? name.slice(0, colon) : name
  const protocol = known ? { protocol: id } : {}
  if (table === family) return protocol
  const lineup = table.startsWith(`${family}/`) ? table.slice(family.length + 1) : table
  if (!(await lineupNames(service)).includes(lineup)) throw unknownModel(name)
  return { lineup, ...protocol }
}

export const modelNames = async (service: Service): Promise<string[]> => [
  family,
  moderatorName,
  ...(await lineupNames(service)).map(name => `${family}/${name}`),
]

export const modelEntry = (id: string) => ({ id, object: 'model', created: 0, owned_by: family })
