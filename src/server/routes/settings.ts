/** What is configured here, and the built-in model. Never a key: the name of its variable, or its last four characters. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  houseFetchBodySchema,
  houseSchema,
  type ProviderReply,
  type SettingsReply,
  settingsQuerySchema,
  settingsSchema,
} from '../../api/index.ts'
import { mostSeats } from '../../core/question/ask-input.ts'
import { longestAttachment, longestQuestion } from '../../core/question/question.ts'
import { keyEnding } from '../../core/question/saved-defaults.ts'
import { exporters } from '../../exports/index.ts'
import { defaultProtocol } from '../../protocols/index.ts'
import { shownAddress } from '../../providers/endpoints.ts'
import { localServers } from '../../providers/local.ts'
import type { Maker } from '../../providers/maker.ts'
import { makers } from '../../providers/makers/index.ts'
import { isReady } from '../../table/agents.ts'
import { type Config, type ConfiguredEndpoint, ownersPage } from '../../table/config.ts'
import { diagnose } from '../../table/doctor.ts'
import type { OpenReach } from '../../table/index.ts'
import { unusedKey } from '../../table/saved-settings.ts'
import { causeOf } from '../failure.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Env, Service } from '../service.ts'
import { changesFor } from './settings-changes.ts'

const tags = ['Settings']

const read = createRoute({
  method: 'get',
  path: '/api/settings',
  tags,
  summary: 'Read what is configured, and with `check=true` what is wrong with it',
  request: { query: settingsQuerySchema },
  responses: { 200: replies(settingsSchema, 'What is configured'), ...problems },
})

const house = createRoute({
  method: 'get',
  path: '/api/house',
  tags,
  summary: 'Read whether the built-in model is downloaded, or the progress of its download',
  responses: { 200: replies(houseSchema, 'The built-in model') },
})

const fetchHouse = createRoute({
  method: 'post',
  path: '/api/house/fetch',
  tags,
  summary: 'Download the built-in model, with your consent',
  description: 'Returns at once. GET /api/house shows the progress.',
  request: { body: takes(houseFetchBodySchema) },
  responses: { 202: replies(houseSchema, 'The download has started'), ...problems },
})

const endpointReply = (endpoint: ConfiguredEndpoint): ProviderReply => {
  const { id, label, keyEnv, ownKeyOnly, key, baseURL } = endpoint
  const saved = endpoint.from === ownersPage ? 'account' : 'settings'
  const local = localServers.some(server => server.id === id)
  const isFound = keyEnv === '' && !ownKeyOnly
  return {
    id,
    label: label ?? id,
    configured: true,
    variables: keyEnv === '' || key === undefined ? [] : [keyEnv],
    local,
    kind: 'endpoint',
    from: ownKeyOnly ? saved : isFound ? 'found' : 'environment',
    address: shownAddress(baseURL),
    ...(ownKeyOnly && key !== undefined && { keyEnding: keyEnding(key) }),
  }
}

const makerReply = ({ connections, config }: OpenReach, maker: Maker): ProviderReply => {
  const { id, label, keys, baseURLVariable, keyPage } = maker
  const connection = connections.find(one => one.maker.id === id)
  const saved = config.providers[id]?.saved
  return {
    id,
    label,
    configured: connection !== undefined,
    variables: keys.length > 0 ? keys : [baseURLVariable],
    ...(keyPage && { keyPage }),
    local: keys.length === 0,
    kind: 'maker',
    from: connection ? (connection.keyEnding === undefined ? 'environment' : 'settings') : null,
    ...(saved && { keyEnding: keyEnding(saved.key) }),
    ...(saved && !connection && { unused: unusedKey }),
    ...(saved && connection?.keyEnv && { unused: `${connection.keyEnv} is set, and comes first` }),
  }
}

const providersOf = ({ reach }: Service): SettingsReply['providers'] => {
  const own = reach.config.endpoints.map(endpointReply)
  const known = makers.filter(({ id }) => !own.some(one => one.id === id))
  return [...own, ...known.map(maker => makerReply(reach, maker))]
}

const usualOf = (config: Config): SettingsReply['usual'] => {
  const { seats, moderator, protocol, rounds, deadline, budget, fixed = [] } = config
  const dollars = typeof budget === 'number' ? budget : budget?.usd
  return {
    seats: seats ?? null,
    ...(moderator !== undefined && { moderator }),
    protocol: protocol ?? defaultProtocol,
    ...(rounds !== undefined && { rounds }),
    ...(deadline !== undefined && { deadline }),
    ...(dollars !== undefined && { budget: dollars }),
    fixed,
  }
}

const findingsOf = async ({ reach, engine, clock, houseModels }: Service) => {
  const sessions = engine.archive.find({}, { limit: 1 }).then(
    () => ({ subject: 'sessions', state: 'good', words: 'the archive answers' }) as const,
    (error: unknown) => ({ subject: 'sessions', state: 'bad', words: causeOf(error) }) as const,
  )
  return diagnose(reach.config, reach, sessions, await houseModels(), clock)
}

const agentsOf = async ({ agents }: OpenReach): Promise<SettingsReply['agents']> => {
  const installed = await agents.check()
  const agreed = agents.agreed()
  return {
    installed: installed.map(one => {
      const { seat, label, logIn, own } = one
      return { seat, label, logIn, own, ready: isReady(one) }
    }),
    ...(agreed !== undefined && { agreed }),
    ...(agents.refusal !== undefined && { refusal: agents.refusal }),
  }
}

const settingsOf = async (
  service: Service,
  context: Context<Env>,
  check: boolean,
): Promise<SettingsReply> => {
  const { limits } = service
  const { config } = service.reach
  const found = localServers.flatMap(({ id, label }) => {
    const models = config.endpoints.find(one => one.id === id)?.models
    return models ? [{ id, label, models: Object.keys(models) }] : []
  })
  return {
    version: service.version,
    providers: providersOf(service),
    localServers: found,
    agents: await agentsOf(service.reach),
    house: await service.house.state(),
    exports: exporters.map(({ id, label, extension }) => ({ id, label, extension })),
    usual: usualOf(config),
    limits: {
      bodyBytes: limits.bodyBytes,
      writesPerMinute: limits.writesPerMinute,
      questionCharacters: longestQuestion,
      attachmentCharacters: longestAttachment,
      seats: mostSeats,
    },
    guarded: service.guarded,
    changes: changesFor(service, context),
    findings: check ? await findingsOf(service) : null,
  }
}

export const settingsRoutes = (service: Service) =>
  router()
    .openapi(read, async context => {
      const { check = false } = context.req.valid('query')
      return context.json(await settingsOf(service, context, check), 200)
    })
    .openapi(house, async context => context.json(await service.house.state(), 200))
    .openapi(fetchHouse, async context => {
      const { model } = context.req.valid('json')
      const weights = service.house.named(model)
      if (!weights)
        throw new Refusal(422, `There is no built-in model "${model}". Choose one of those that are offered.`)
      service.house.start(weights)
      return context.json(await service.house.state(), 202)
    })
