/** Checks the configuration: each finding says what is there and, if something is wrong, how to fix it. */

import { statSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { isReady } from '../agents/table.ts'
import { keyEnding } from '../core/ask.ts'
import { type ModelError, UsageError, wordingOf } from '../core/basics.ts'
import { shownAddress } from '../models/endpoints.ts'
import type { Provider } from '../models/provider.ts'
import { modelOf } from './ask.ts'
import { type Config, ownersPage, settingsPath, unusedKey } from './config.ts'
import { type HouseModel, needWords, type Reach } from './reach.ts'
import { isAlone, type Retiring, retiringFrom, retiringWords, usualSeats } from './seats.ts'

export interface Finding {
  readonly subject: string
  readonly state: 'good' | 'bad' | 'note'
  /** Of a provider: the variable that holds its key, or the end of one from the settings page; never the key. */
  readonly key?: string
  readonly words: string
  /** How to fix it. */
  readonly advice?: string
  /** A model that is about to be retired could be asked for its letter; each face says how. */
  readonly letterOf?: string
  /** A download would help; each face says how to start it there. */
  readonly download?: boolean
}

const checkTime = 5_000

/** A configured provider, and what a person needs to know to fix it. */
interface Checked {
  readonly provider: Provider
  readonly keyEnv: string | undefined
  readonly hasKey: boolean
  /** Of a key that was entered on a page. */
  readonly keyEnding?: string
  /** Where it was entered; the settings page if left out. */
  readonly page?: string
  readonly place: string
  readonly keyPage?: string
}

const configured = (config: Config, reach: Reach): Checked[] =>
  reach.providers.flatMap((provider): Checked[] => {
    const endpoint = config.endpoints.find(one => one.id === provider.id)
    if (endpoint) {
      const { keyEnv, key, baseURL, ownKeyOnly, from } = endpoint
      const ending = ownKeyOnly && key !== undefined ? { keyEnding: keyEnding(key) } : {}
      const page = from === ownersPage ? { page: 'your account page' } : {}
      return [
        { provider, keyEnv, hasKey: key !== undefined, place: shownAddress(baseURL), ...ending, ...page },
      ]
    }
    const connection = reach.connections.find(one => one.provider === provider)
    if (!connection) return []
    const { keyEnv, maker, keyEnding: ending } = connection
    return [
      {
        provider,
        keyEnv,
        hasKey: keyEnv !== undefined || ending !== undefined,
        ...(ending !== undefined && { keyEnding: ending }),
        place: maker.label,
        ...(maker.keyPage && { keyPage: maker.keyPage }),
      },
    ]
  })

const adviceFor = (checked: Checked, { kind }: ModelError): string => {
  const { keyEnv, keyPage, hasKey, keyEnding: ending, page = 'the settings page' } = checked
  const where = keyPage ? `; ${keyPage} has them` : ''
  if (kind === 'wrong-key' && (ending !== undefined || keyEnv === ''))
    return `Enter a key of this provider on ${page}${where}.`
  if (kind !== 'wrong-key' || keyEnv === undefined) return wordingOf(kind).advice
  return `${hasKey ? 'Correct' : 'Set'} ${keyEnv}: it must hold a key of this provider${where}.`
}

/** Asking for the list of models is the cheapest call that shows whether a provider works. */
const checkProvider = async (checked: Checked, clock: () => number): Promise<Finding> => {
  const { provider, keyEnv, hasKey, place } = checked
  const started = clock()
  const listed = await provider.list(AbortSignal.timeout(checkTime))
  const key = checked.keyEnding ?? (hasKey ? (keyEnv ?? '') : 'no key')
  if ('error' in listed) {
    const { status, message } = listed.error
    const words = `${place}: ${message}${status === undefined ? '' : ` (${status})`}`
    return { subject: provider.id, key, state: 'bad', words, advice: adviceFor(checked, listed.error) }
  }
  const count = `${listed.models.length} ${listed.models.length === 1 ? 'model' : 'models'}`
  return { subject: provider.id, key, state: 'good', words: `${count} in ${clock() - started} ms, ${place}` }
}

/** The one provider; undefined if it isn't configured. */
export const tryOut = async (
  config: Config,
  reach: Reach,
  id: string,
  clock: () => number,
): Promise<Finding | undefined> => {
  const checked = configured(config, reach).find(({ provider }) => provider.id === id)
  return checked && checkProvider(checked, clock)
}

/** A saved key that can't be used, and a file that others can read. */
const savedFindings = ({ data, providers }: Config, reach: Reach): Finding[] => {
  const subject = 'settings'
  const mode = statSync(settingsPath(data), { throwIfNoEntry: false })?.mode ?? 0
  const idle = Object.entries(providers).filter(
    ([id, { saved }]) => saved && !reach.connections.some(({ maker }) => maker.id === id),
  )
  return [
    ...idle.map(
      ([id]): Finding => ({
        ...{ subject: id, state: 'bad', words: unusedKey },
        advice: 'Enter the key again on the settings page, or remove the address.',
      }),
    ),
    ...((mode & 0o077) === 0
      ? []
      : [
          {
            ...({ subject, state: 'bad', words: `others can read ${settingsPath(data)}` } as const),
            advice: 'It may hold keys: set its mode to 600.',
          },
        ]),
  ]
}

const checkDatabase = async (address: string): Promise<Finding> => {
  try {
    const { serverArchive } = await import('../store/server.ts')
    await (await serverArchive(address)).close()
    return { subject: 'sessions', state: 'good', words: 'kept in the database that DATABASE_URL names' }
  } catch (error) {
    const advice =
      'Correct DATABASE_URL, or start that database. Without DATABASE_URL, sessions are kept in a folder.'
    return { subject: 'sessions', state: 'bad', words: (error as Error).message, advice }
  }
}

export const checkData = async (folder: string, env: Config['env']): Promise<Finding> => {
  if (env.DATABASE_URL?.trim()) return checkDatabase(env.DATABASE_URL.trim())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    return { subject: 'sessions', state: 'good', words: `kept in ${folder}` }
  } catch (error) {
    const advice = 'Make the folder writable, or set ROUNDTABLE_DATA to one that is.'
    return { subject: 'sessions', state: 'bad', words: (error as Error).message, advice }
  }
}

/** Models that the configuration names, but that can't be seated. */
const unseated = async (config: Config, reach: Reach): Promise<Finding[]> => {
  const [{ findModel }, { withWholePath }] = await Promise.all([import('./seats.ts'), import('./reach.ts')])
  const seats = [
    ...(config.seats ?? []),
    ...Object.values(config.lineups).flat(),
    config.moderator ?? [],
  ].flat()
  const models = new Set(seats.map(seat => (typeof seat === 'string' ? seat : seat.model)))
  return [...models].flatMap((model): Finding[] => {
    try {
      findModel(withWholePath(model, '/'), reach)
      return []
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      const advice = 'Correct the name in the configuration, or add what is missing.'
      return [{ subject: `seat ${model}`, state: 'bad', words: error.message, advice }]
    }
  })
}

const moderatorWords = (moderator: string | null | undefined): string => {
  if (moderator === undefined) return 'a strong model that isn’t at the table, or else one that is'
  return moderator ?? 'none: open answers are not grouped, and code writes the report'
}

/** Who sits at the table if a request names nobody, by the same rule that seats them. */
const tableFinding = (config: Config, reach: Reach): Finding => {
  const seats = config.seats?.map(modelOf) ?? usualSeats(reach)
  const lineups = Object.keys(config.lineups)
  const own = lineups.length > 0 ? `; line-ups ${lineups.join(', ')}` : ''
  if (seats) return { subject: 'table', state: 'note', words: `by default ${seats.join(', ')}${own}` }
  const words = isAlone(reach) ? 'by default the built-in model' : 'nobody by default'
  const advice = 'Choose models when you ask, or save a default table.'
  return { subject: 'table', state: 'note', words: `${words}${own}`, ...(!isAlone(reach) && { advice }) }
}

const settings = (config: Config, reach: Reach): Finding[] => {
  const files = config.files.length > 0 ? config.files.join(', ') : 'none, only the environment'
  return [
    { subject: 'files', state: 'note', words: files },
    tableFinding(config, reach),
    {
      subject: 'moderator',
      state: 'note',
      words: moderatorWords(config.moderator),
    },
  ]
}

const keyAdvice =
  'Set a key such as ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1"'

const nobodyConfigured = (house: readonly HouseModel[], { agents }: Reach): Finding => {
  const subject = 'providers'
  const able = agents.installed().filter(isReady)
  if (able.length > 0)
    return {
      ...{ subject, state: 'note' },
      words: `no API key and no endpoint: ${able.map(({ label }) => label).join(' and ')} can answer`,
      ...(agents.agreed() !== true && { advice: 'Agree to that when you first ask, or name them as seats.' }),
    }
  const ready = house.find(({ needs }) => needs === undefined)
  if (ready)
    return {
      ...{ subject, state: 'note', advice: `${keyAdvice}.` },
      words: `no API key and no endpoint: ${ready.model.name} answers`,
    }
  return {
    ...{ subject, state: 'bad', words: 'no model can be reached: no API key and no endpoint' },
    advice: `${keyAdvice}; or download a built-in model.`,
    download: true,
  }
}

/** A line for each model that is here or should be, and one for those that can be downloaded. */
const houseFindings = (house: readonly HouseModel[]): Finding[] => {
  const known = house.filter(({ needs }) => needs?.type !== 'download')
  const names = house.flatMap(({ needs }) =>
    needs?.type === 'download' ? `${needs.id} (${needs.size})` : [],
  )
  const words = `not downloaded: ${names.join(', ')}`
  return [
    ...known.map(({ model, needs, state }): Finding => {
      if (!needs) return { subject: model.id, state: 'good', words: state }
      const download = needs.type === 'download-again'
      return {
        subject: model.id,
        state: 'bad',
        words: state,
        advice: `It needs ${needWords(needs)}.`,
        download,
      }
    }),
    ...(names.length > 0 ? [{ subject: 'built-in', state: 'note' as const, words, download: true }] : []),
  ]
}

/** A line for each installed agent; one that isn't logged in isn't a fault. */
const agentFindings = async ({ agents }: Reach): Promise<Finding[]> => {
  const installed = await agents.check()
  const refused: Finding[] =
    agents.refusal === undefined ? [] : [{ subject: 'agents', state: 'note', words: agents.refusal }]
  return [
    ...refused,
    ...installed.map((one): Finding => {
      const { seat, label, path, state, own, logIn } = one
      const words = `${label}, ${path}`
      if (own) return { subject: seat, state: 'note', words: `${words}, from your configuration` }
      if (isReady(one)) return { subject: seat, state: 'good', words: `${words}, logged in` }
      const why = state === 'out' ? 'not logged in' : "doesn't say whether it is logged in"
      return { subject: seat, state: 'note', words: `${words}, ${why}`, advice: `Log in with \`${logIn}\`.` }
    }),
  ]
}

/** Makers without a key, in one line: most people have few keys. */
const notConfigured = async (reach: Reach): Promise<Finding[]> => {
  const { makers } = await import('../models/makers.ts')
  const others = makers.filter(maker => !reach.providers.some(({ id }) => id === maker.id))
  const words = others.map(({ keys, baseURLVariable }) => keys[0] ?? baseURLVariable).join(', ')
  return others.length > 0 ? [{ subject: 'not set', state: 'note', words }] : []
}

const leavingFinding = (retiring: Retiring): Finding => ({
  subject: retiring.name,
  state: 'note',
  words: `${retiringWords(retiring)}; it sits at ${retiring.lineups.join(', ')}`,
  advice: 'Before it goes, ask it for a letter to its successor.',
  letterOf: retiring.model,
})

export const diagnose = async (
  config: Config,
  reach: Reach,
  sessions: Promise<Finding>,
  house: readonly HouseModel[],
  clock: () => number,
): Promise<Finding[]> => {
  const providers = configured(config, reach)
  const [data, agents, others, seats, ...answers] = await Promise.all([
    sessions,
    agentFindings(reach),
    notConfigured(reach),
    unseated(config, reach),
    ...providers.map(checked => checkProvider(checked, clock)),
  ])
  const found = answers.length > 0 ? answers : [nobodyConfigured(house, reach)]
  return [
    ...settings(config, reach),
    data,
    ...savedFindings(config, reach),
    ...found,
    ...agents,
    ...houseFindings(house),
    ...others,
    ...seats,
    ...retiringFrom({}, reach, clock()).map(leavingFinding),
  ]
}
