/** What `doctor` looks at: each finding says what is, and if that is wrong, how to mend it. */
import { access, constants, mkdir } from 'node:fs/promises'
import { wordingOf } from '../core/errors.ts'
import type { Provider } from '../providers/provider.ts'
import type { Config, ConfiguredEndpoint } from '../runtime/config.ts'

export interface Finding {
  readonly subject: string
  readonly state: 'good' | 'bad' | 'note'
  readonly words: string
  /** How to mend it. */
  readonly advice?: string
}

const checkTime = 5_000

/** The endpoint's list of models is the cheapest thing to ask for. */
const checkEndpoint = async (
  endpoint: ConfiguredEndpoint,
  provider: Provider,
  clock: () => number,
): Promise<Finding> => {
  const started = clock()
  const listed = await provider.list(AbortSignal.timeout(checkTime))
  const key = endpoint.key ? `key from ${endpoint.keyEnv}` : `no key (${endpoint.keyEnv} is not set)`
  const subject = `endpoint ${endpoint.id}`
  if ('error' in listed) {
    const { kind, message } = listed.error
    const advice =
      kind === 'wrong-key' ? `Set ${endpoint.keyEnv} to a key of this endpoint.` : wordingOf(kind).advice
    return { subject, state: 'bad', words: `${endpoint.baseURL}, ${key}: ${message}`, advice }
  }
  const count = `${listed.models.length} ${listed.models.length === 1 ? 'model' : 'models'}`
  return { subject, state: 'good', words: `${endpoint.baseURL}, ${key}: ${count}, ${clock() - started} ms` }
}

const checkData = async (folder: string): Promise<Finding> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    return { subject: 'sessions', state: 'good', words: `kept in ${folder}` }
  } catch (error) {
    const advice = 'Make the folder writable, or set ROUNDTABLE_DATA to one that is.'
    return { subject: 'sessions', state: 'bad', words: (error as Error).message, advice }
  }
}

/** Models that are named somewhere in the configuration, but of which no endpoint is configured. */
const unseated = (config: Config): Finding[] => {
  const seats = [
    ...(config.seats ?? []),
    ...Object.values(config.lineups).flat(),
    config.moderator ?? [],
  ].flat()
  const models = seats.map(seat => (typeof seat === 'string' ? seat : seat.model))
  const known = config.endpoints.map(endpoint => endpoint.id)
  const lost = [...new Set(models)].filter(model => !known.some(id => model.startsWith(`${id}/`)))
  return lost.map(model => ({
    subject: `seat ${model}`,
    state: 'bad',
    words: 'no endpoint of that name is configured',
    advice: `Add an endpoint "${model.split('/')[0]}", or correct the name.`,
  }))
}

const settings = (config: Config): Finding[] => {
  const seats = config.seats?.length ?? 0
  const lineups = Object.keys(config.lineups)
  const files = config.files.length > 0 ? config.files.join(', ') : 'none; the environment is all there is'
  const table = seats > 0 ? `${seats} seats by default` : 'no default; name seats with --seats'
  return [
    { subject: 'files', state: 'note', words: files },
    {
      subject: 'table',
      state: 'note',
      words: lineups.length > 0 ? `${table}; line-ups ${lineups.join(', ')}` : table,
    },
    {
      subject: 'moderator',
      state: 'note',
      words: config.moderator ?? 'none: open answers are not grouped, and code writes the report',
    },
  ]
}

const noEndpoint: Finding = {
  subject: 'endpoints',
  state: 'bad',
  words: 'none is configured',
  advice: 'Set ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1", and its key as ROUNDTABLE_LAB_KEY.',
}

export const checkup = async (
  config: Config,
  providers: readonly Provider[],
  sessions: string,
  clock: () => number,
): Promise<Finding[]> => {
  const endpoints = config.endpoints.flatMap(endpoint => {
    const provider = providers.find(one => one.id === endpoint.id)
    return provider ? [checkEndpoint(endpoint, provider, clock)] : []
  })
  const [data, ...answers] = await Promise.all([checkData(sessions), ...endpoints])
  return [...settings(config), data!, ...(answers.length > 0 ? answers : [noEndpoint]), ...unseated(config)]
}
