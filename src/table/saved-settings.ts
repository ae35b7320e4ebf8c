/**
 * What a person set on the settings page: keys, endpoints and defaults, in one file of the data folder that only they
 * can read. A key belongs to the address that it was entered for: with another address it isn't sent.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { keySchema, type SavedDefaults, savedDefaultsSchema } from '../core/question/saved-defaults.ts'
import { endpointsFrom } from '../providers/endpoints.ts'
import { makers } from '../providers/makers/index.ts'
import { lockFolder } from '../store/folder-lock.ts'

const savedKeySchema = z.strictObject({
  key: keySchema,
  /** The address that it was entered for. Null: the maker's own. */
  address: z.string().nullable(),
})
export type SavedKey = z.infer<typeof savedKeySchema>

const savedEndpointSchema = z.strictObject({
  id: z.string(),
  baseURL: z.string(),
  key: keySchema.optional(),
})
export type SavedEndpoint = z.infer<typeof savedEndpointSchema>

const savedSchema = z.strictObject({
  /** Of makers, by their id. */
  keys: z.record(z.string(), savedKeySchema).default({}),
  endpoints: z.array(savedEndpointSchema).default([]),
  defaults: savedDefaultsSchema.default({}),
  /** Whether command-line agents may be the default table. Absent: the person hasn't been asked. */
  agents: z.boolean().optional(),
})
export type SavedSettings = z.infer<typeof savedSchema>

export const settingsPath = (data: string): string => join(data, 'settings.json')

/** What is wrong with the file isn't quoted: it may be a key. */
export const readSettings = (data: string): SavedSettings & { readonly exists: boolean } => {
  const path = settingsPath(data)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ...savedSchema.parse({}), exists: false }
    throw error
  }
  try {
    return { ...savedSchema.parse(JSON.parse(text)), exists: true }
  } catch {
    throw new UsageError(`${path} can't be read: fix it, or remove it and enter the settings again.`)
  }
}

/** A new file takes the place of the old one: nobody reads half of it, and its mode is right whatever it was before. */
const write = (data: string, settings: SavedSettings): void => {
  const path = settingsPath(data)
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/** Why a saved key of a maker isn't used. */
export const unusedKey = 'its key was entered for another address, so it is not sent'

const makerNamed = (id: string) => {
  const maker = makers.find(one => one.id === id)
  if (maker && maker.keys.length > 0) return maker
  throw new UsageError(`There is no provider "${id}" that takes a key.`)
}

/** The query of an address may hold a key, and addresses are shown. */
const checkedEndpoint = (id: string, baseURL: string): SavedEndpoint => {
  if (makers.some(maker => maker.id === id.toLowerCase()))
    throw new UsageError(`"${id}" is the name of a provider. Give the endpoint another name.`)
  const [endpoint] = endpointsFrom([{ id, baseURL: baseURL.trim() }], {})
  if (new URL(endpoint!.baseURL).search !== '')
    throw new UsageError('Leave out the "?" in the address and what follows it. A key has its own field.')
  return { id, baseURL: endpoint!.baseURL }
}

export interface SettingsEditor {
  /** For the address that the maker has now. */
  saveKey(maker: string, key: string, address: string | null): Promise<void>
  /** False if none was saved. */
  removeKey(maker: string): Promise<boolean>
  /** Without a key, the endpoint keeps the one it has, but not at another address. */
  saveEndpoint(id: string, baseURL: string, key: string | undefined): Promise<void>
  /** False if none was saved. */
  removeEndpoint(id: string): Promise<boolean>
  saveDefaults(defaults: SavedDefaults): Promise<void>
  /** The person's answer whether agents may be the default table. */
  saveAgreement(agents: boolean): Promise<void>
}

/** Milliseconds that a change waits for those of other processes. */
const patience = 10_000

/** Each change reads the file anew, and alone: another process may have written it, or be about to. */
export const settingsEditor = (data: string): SettingsEditor => {
  const change = async (edit: (before: SavedSettings) => Partial<SavedSettings>): Promise<void> => {
    const release = await lockFolder(data, patience)
    try {
      const { exists: _exists, ...before } = readSettings(data)
      write(data, { ...before, ...edit(before) })
    } finally {
      await release()
    }
  }
  return {
    async saveKey(maker, key, address) {
      const { id } = makerNamed(maker)
      await change(({ keys }) => ({ keys: { ...keys, [id]: { key: keySchema.parse(key), address } } }))
    },
    async removeKey(maker) {
      if (!Object.hasOwn(readSettings(data).keys, maker)) return false
      await change(({ keys: { [maker]: _key, ...keys } }) => ({ keys }))
      return true
    },
    async saveEndpoint(id, baseURL, key) {
      const endpoint = checkedEndpoint(id, baseURL)
      await change(({ endpoints }) => {
        const before = endpoints.find(one => one.id === id)
        const kept = key ?? (before?.baseURL === endpoint.baseURL ? before.key : undefined)
        const saved = { ...endpoint, ...(kept !== undefined && { key: keySchema.parse(kept) }) }
        const others = endpoints.filter(one => one.id !== id)
        endpointsFrom([...others, saved], {})
        return { endpoints: [...others, saved] }
      })
    },
    async removeEndpoint(id) {
      if (!readSettings(data).endpoints.some(one => one.id === id)) return false
      await change(({ endpoints }) => ({ endpoints: endpoints.filter(one => one.id !== id) }))
      return true
    },
    async saveDefaults(defaults) {
      await change(() => ({ defaults: savedDefaultsSchema.parse(defaults) }))
    },
    async saveAgreement(agents) {
      await change(() => ({ agents }))
    },
  }
}
