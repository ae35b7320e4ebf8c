/** Reads endpoints such as `lab=http://127.0.0.1:8787/v1,other=https://…`, and takes their keys from the environment. */
import { UsageError } from '../core/basics.ts'
import type { EndpointSettings } from './chat.ts'

/** Names that Roundtable uses for its own providers. */
export const reservedIds: readonly string[] = ['scripted', 'house', 'person', 'acp', 'cli']

export type Environment = Readonly<Record<string, string | undefined>>

/** Empty variables count as unset: an empty ROUNDTABLE_MODERATOR removes it. */
export const variable = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

/** The variable that holds the key of an endpoint: `ROUNDTABLE_MY_LAB_KEY` for `my-lab`. */
export const keyVariable = (id: string): string =>
  `ROUNDTABLE_${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_KEY`

const example = 'lab=http://127.0.0.1:8787/v1'

const checkId = (id: string): void => {
  if (id.includes('/')) {
    throw new UsageError(
      `The endpoint "${id}" has a slash in its name. Leave the slash out, as in ${example}: it separates the endpoint from the model.`,
    )
  }
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(id)) {
    throw new UsageError(
      `"${id}" can't be the name of an endpoint. Use letters, digits, dots, dashes and underscores, as in ${example}.`,
    )
  }
  if (reservedIds.includes(id.toLowerCase())) {
    throw new UsageError(`The name "${id}" is reserved. Give the endpoint another name.`)
  }
}

/** Messages don't repeat an address: a wrong one may be a key in the wrong place. */
const checkedURL = (id: string, baseURL: string): string => {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new UsageError(
      `The endpoint "${id}" needs an address that starts with http:// or https://, as in ${example}.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `The address of the endpoint "${id}" contains a user name or a password. Put the key into ${keyVariable(id)} instead.`,
    )
  }
  url.hash = ''
  url.pathname = url.pathname.replace(/(?:\/chat\/completions)?\/*$/, '')
  return url.search === '' ? url.href.replace(/\/$/, '') : url.href
}

/** An address as it is shown: its query may hold a key, and so may a user name or a password. */
export const shownAddress = (address: string): string => {
  const url = URL.parse(address)
  if (!url) return '(not an address)'
  const rest = url.search === '' ? '' : '?…'
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '') + rest
}

/** If two endpoints shared a name or a variable, one would get the other's key. */
const checkDistinct = (ids: readonly string[]): void => {
  const seen = new Map<string, string>()
  for (const id of ids) {
    const variable = keyVariable(id)
    const other = seen.get(variable)
    if (other === id) throw new UsageError(`There are two endpoints named "${id}". Rename one of them.`)
    if (other !== undefined) {
      throw new UsageError(
        `The endpoints "${other}" and "${id}" would share the variable ${variable}. Rename one of them.`,
      )
    }
    seen.set(variable, id)
  }
}

/** Checks endpoints, and adds their keys from the environment. */
export const endpointsFrom = (
  endpoints: readonly EndpointSettings[],
  environment: Environment,
): EndpointSettings[] => {
  for (const { id } of endpoints) checkId(id)
  checkDistinct(endpoints.map(({ id }) => id))
  return endpoints.map(endpoint => {
    const usual = endpoint.ownKeyOnly ? undefined : environment[keyVariable(endpoint.id)]
    const key = (endpoint.key ?? usual)?.trim()
    const keyEnv = endpoint.keyEnv ?? (endpoint.key || endpoint.ownKeyOnly ? '' : keyVariable(endpoint.id))
    return {
      ...{ ...endpoint, baseURL: checkedURL(endpoint.id, endpoint.baseURL) },
      ...(key && { key }),
      ...(keyEnv && { keyEnv }),
    }
  })
}

export const parseEndpoints = (text: string, environment: Environment): EndpointSettings[] => {
  const items = text.split(',').map(item => item.trim())
  const pairs = items
    .filter(item => item !== '')
    .map((item, index) => {
      const [, id, baseURL] = /^([^=]*)=(.*)$/s.exec(item) ?? []
      if (id === undefined || baseURL === undefined) {
        throw new UsageError(`Endpoint ${index + 1} has no name. Write it as in ${example}.`)
      }
      return { id: id.trim(), baseURL: baseURL.trim() }
    })
  return endpointsFrom(pairs, environment)
}
