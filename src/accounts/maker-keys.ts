/** Keys of makers that are a person's own: encrypted at rest, used for their sessions, and never sent back. */
import { z } from 'zod'
import { keyEnding, keySchema } from '../core/question/saved-defaults.ts'
import type { Archive } from '../store/archive/archive.ts'
import { seal, sealedSchema, unseal } from './sealed-text.ts'

const storedSchema = z.object({
  maker: z.string(),
  /** The address that it was entered for; null: the maker's own. With another one it isn't sent. */
  address: z.string().nullable(),
  /** The last characters, by which its owner knows it. */
  ending: z.string(),
  sealed: sealedSchema,
})

/** What may be shown of a key. */
export interface ShownMakerKey {
  readonly maker: string
  readonly ending: string
}

export interface OpenMakerKey {
  readonly maker: string
  readonly address: string | null
  readonly key: string
}

export interface MakerKeys {
  save(person: string, maker: string, key: string, address: string | null): Promise<void>
  of(person: string): Promise<readonly ShownMakerKey[]>
  /** False if there was none. */
  remove(person: string, maker: string): Promise<boolean>
  /** For the calls of this person's sessions. Those that another secret sealed are left out. */
  open(person: string): Promise<readonly OpenMakerKey[]>
}

export const makerKeysIn = (archive: Archive, secret: Buffer): MakerKeys => {
  const keyOf = (person: string, maker: string): string => `${person} ${maker}`
  const stored = async (person: string) =>
    (await archive.records('maker-key', { owner: person })).map(({ value }) => storedSchema.parse(value))
  return {
    async save(person, maker, key, address) {
      const text = keySchema.parse(key)
      const sealed = seal(secret, keyOf(person, maker), text)
      const value = { maker, address, ending: keyEnding(text), sealed }
      await archive.saveRecord('maker-key', keyOf(person, maker), value, person)
    },
    async of(person) {
      return (await stored(person)).map(({ maker, ending }) => ({ maker, ending }))
    },
    async remove(person, maker) {
      return (await archive.removeRecord('maker-key', keyOf(person, maker))) !== undefined
    },
    async open(person) {
      return (await stored(person)).flatMap(({ maker, address, sealed }) => {
        const key = unseal(secret, keyOf(person, maker), sealed)
        return key === undefined ? [] : [{ maker, address, key }]
      })
    },
  }
}
