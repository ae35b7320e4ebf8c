/** Endpoints that are a person's own: their address and key are encrypted at rest, and used for their sessions alone. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { keyEnding, keySchema } from '../core/question/saved-defaults.ts'
import type { EndpointSettings } from '../providers/chat/openai-compatible.ts'
import { endpointsFrom, keyVariable, shownAddress } from '../providers/endpoints.ts'
import type { Archive } from '../store/archive/archive.ts'
import { seal, sealedSchema, unseal } from './sealed-text.ts'

const storedSchema = z.object({
  id: z.string(),
  /** Without its query, which may hold a key. */
  shown: z.string(),
  /** The last characters of the key. Null: it needs none. */
  ending: z.string().nullable(),
  sealed: sealedSchema,
})
/** Sealed together: a key can't be combined with another address. */
const sealedPartSchema = z.object({ baseURL: z.string(), key: z.string().optional() })

/** What may be shown of an endpoint. */
export type ShownEndpoint = Pick<z.infer<typeof storedSchema>, 'id' | 'shown' | 'ending'>

export interface OwnEndpoints {
  /** Replaces one with the same id. `key`: empty if it needs none. */
  save(person: string, id: string, baseURL: string, key: string): Promise<void>
  of(person: string): Promise<readonly ShownEndpoint[]>
  /** False if there was none. */
  remove(person: string, id: string): Promise<boolean>
  /** For the calls of this person's sessions. Those that another secret sealed are left out. */
  open(person: string): Promise<readonly EndpointSettings[]>
}

const [mostEndpoints, longestId, longestAddress] = [20, 60, 2_000]

const checkedKey = (key: string): string | undefined => {
  if (key.trim() === '') return undefined
  const read = keySchema.safeParse(key)
  if (read.success) return read.data
  throw new UsageError('That is not a key. Copy it again, without spaces.')
}

/** The address as it is called. */
const checkedAddress = (id: string, baseURL: string): string => {
  if (id.length > longestId) throw new UsageError(`The name may have ${longestId} characters.`)
  if (baseURL.length > longestAddress) throw new UsageError('The address is too long.')
  return endpointsFrom([{ id, baseURL: baseURL.trim(), ownKeyOnly: true }], {})[0]!.baseURL
}

/** `through`: how connections are made, so that nobody's endpoint leads to where they may not go. */
export const ownEndpointsIn = (
  archive: Archive,
  secret: Buffer,
  through: EndpointSettings['through'],
): OwnEndpoints => {
  /** Ids that differ in upper and lower case alone are one. */
  const keyOf = (person: string, id: string): string => `${person} ${keyVariable(id)}`
  const purposeOf = (person: string, id: string): string => `endpoint ${keyOf(person, id)}`
  const stored = async (person: string) =>
    (await archive.records('endpoint', { owner: person }))
      .map(({ value }) => storedSchema.parse(value))
      .sort((one, other) => one.id.localeCompare(other.id))
  const opened = (person: string, { id, sealed }: z.infer<typeof storedSchema>): EndpointSettings[] => {
    const text = unseal(secret, purposeOf(person, id), sealed)
    if (text === undefined) return []
    return [
      { id, ...sealedPartSchema.parse(JSON.parse(text)), ownKeyOnly: true, ...(through && { through }) },
    ]
  }
  return {
    async save(person, id, address, given) {
      const [baseURL, key] = [checkedAddress(id, address), checkedKey(given)]
      const others = (await stored(person)).filter(one => keyOf(person, one.id) !== keyOf(person, id))
      if (others.length >= mostEndpoints)
        throw new UsageError(`You have ${mostEndpoints} endpoints. Remove one first.`)
      const value = {
        ...{ id, shown: shownAddress(baseURL), ending: key === undefined ? null : keyEnding(key) },
        sealed: seal(secret, purposeOf(person, id), JSON.stringify({ baseURL, key })),
      }
      await archive.saveRecord('endpoint', keyOf(person, id), value, person)
    },
    async of(person) {
      return (await stored(person)).map(({ id, shown, ending }) => ({ id, shown, ending }))
    },
    async remove(person, id) {
      return (await archive.removeRecord('endpoint', keyOf(person, id))) !== undefined
    },
    async open(person) {
      return (await stored(person)).flatMap(one => opened(person, one))
    },
  }
}
