/**
 * What the files of a working folder (`.env`, `roundtable.config.json`) would have that only the person may give: keys for
 * an address that the folder names, and where sessions are. A folder may be a stranger's: a cloned repository. Unfinished
 * sessions of a stranger would be resumed with the person's keys.
 */
import { type Environment, keyVariable, variable } from '../providers/endpoints.ts'
import { makers } from '../providers/makers/index.ts'
import type { ConfigFile } from './config-file.ts'
import type { MakerOptions } from './reach.ts'

export interface FolderClaim {
  readonly type: 'maker' | 'endpoint' | 'sessions'
  /** The id of a maker or endpoint; the variable that says where sessions are. */
  readonly id: string
  /** Null: the maker's usual one. It may contain a password. For sessions it may be a folder. */
  readonly address: string | null
  /** Each of these may be sent there. */
  readonly variables: readonly string[]
}

/** The variables of a folder's `.env`, and of the shell that a command was started in. */
export interface Variables {
  readonly folder: Environment
  readonly shell: Environment
  /** The shell's come first. */
  readonly merged: Environment
}

/** What the folder's files set, as far as nothing else comes first. */
export interface FolderSettings {
  readonly providers: NonNullable<ConfigFile['settings']['providers']>
  readonly endpoints: readonly { readonly id: string; readonly baseURL: string; readonly keyEnv: string }[]
}

/** The value of a variable that the folder sets and the shell doesn't. */
const ofFolder = ({ folder, shell }: Variables, name: string): string | undefined =>
  shell[name] === undefined ? variable(folder, name) : undefined

const makerClaims = (variables: Variables, providers: FolderSettings['providers']): FolderClaim[] =>
  makers.flatMap(({ id, keys, baseURLVariable: name }): FolderClaim[] => {
    const { baseURL, keyEnv } = providers[id] ?? {}
    const isSet = variable(variables.merged, name) !== undefined
    const address = (isSet ? ofFolder(variables, name) : baseURL) ?? null
    const wanted = keyEnv === undefined ? keys : [keyEnv]
    if ((address === null && keyEnv === undefined) || wanted.length === 0) return []
    return [{ type: 'maker', id, address, variables: wanted }]
  })

const placesOfSessions = ['DATABASE_URL', 'ROUNDTABLE_DATA', 'XDG_DATA_HOME'] as const

export const folderClaims = (
  variables: Variables,
  { providers, endpoints }: FolderSettings,
): FolderClaim[] => [
  ...makerClaims(variables, providers),
  ...endpoints.map(({ id, baseURL, keyEnv }) => ({
    ...({ type: 'endpoint', id, address: baseURL } as const),
    variables: [...new Set([keyEnv, keyVariable(id)])],
  })),
  ...placesOfSessions.flatMap((name): FolderClaim[] => {
    const address = ofFolder(variables, name)
    return address === undefined ? [] : [{ type: 'sessions', id: name, address, variables: [name] }]
  }),
]

/** The folder's own variables, without those that the shell has emptied. */
const ownVariables = ({ folder, shell }: Variables): Environment =>
  Object.fromEntries(Object.entries(folder).filter(([name]) => shell[name]?.trim() !== ''))

/** An address that gets the folder's own key, or no key, takes nothing from the person. */
const needsAgreement =
  (all: Variables, own: Environment) =>
  ({ type, variables }: FolderClaim): boolean =>
    type === 'sessions' ||
    (variables.every(name => variable(own, name) === undefined) &&
      variables.some(name => variable(all.merged, name) !== undefined))

/** What remains for a folder that the person hasn't agreed to. */
export interface Restriction {
  /** The claims that take something from the person: nothing is sent there. */
  readonly withheld: readonly FolderClaim[]
  readonly env: Environment
  /** Settings of makers that look up their keys among the folder's own variables. */
  readonly makers: Readonly<Record<string, MakerOptions>>
  isWithheld(endpoint: string): boolean
  /** Where the key of an endpoint is looked up. */
  envOf(endpoint: string): Environment
}

export const restricted = (
  claims: readonly FolderClaim[],
  variables: Variables,
  options: Readonly<Record<string, MakerOptions>>,
): Restriction => {
  const own = ownVariables(variables)
  const withheld = claims.filter(needsAgreement(variables, own))
  const has = (among: readonly FolderClaim[], type: FolderClaim['type'], id: string): boolean =>
    among.some(claim => claim.type === type && claim.id === id)
  const claimed = makers.filter(({ id }) => has(claims, 'maker', id))
  return {
    withheld,
    env: Object.fromEntries(
      Object.entries(variables.merged).filter(([name]) => !has(withheld, 'sessions', name)),
    ),
    makers: Object.fromEntries(
      claimed.map(({ id, baseURLVariable: name }) => {
        const { baseURL, ...others } = options[id] ?? {}
        // Without an address and a key, not even a maker that needs no key is called.
        if (has(withheld, 'maker', id)) return [id, { ...others, env: {} }]
        const env = { ...own, [name]: variables.merged[name] }
        return [id, { ...others, ...(baseURL !== undefined && { baseURL }), env }]
      }),
    ),
    isWithheld: id => has(withheld, 'endpoint', id),
    envOf: id => (has(claims, 'endpoint', id) ? own : variables.merged),
  }
}
