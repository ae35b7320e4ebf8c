/** Whether the process is alive, whether it can work, and its metrics. */

import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { currentVisitor, visitorMay } from '../accounts/permissions.ts'
import { isReady } from '../agents/table.ts'
import { openedSchema } from '../api/sessions.ts'
import {
  agreementBodySchema,
  defaultsBodySchema,
  endpointBodySchema,
  houseFetchBodySchema,
  houseSchema,
  keyBodySchema,
  type ProviderReply,
  type SettingsReply,
  settingsQuerySchema,
  settingsSchema,
  statsQuerySchema,
  statsSchema,
  tryOutSchema,
} from '../api/table.ts'
import { keyEnding, mostSeats } from '../core/ask.ts'
import { longestAttachment, longestQuestion } from '../core/question.ts'
import { exporters } from '../exports/index.ts'
import { tour } from '../library/tour.ts'
import { keyVariable, shownAddress } from '../models/endpoints.ts'
import { localServers } from '../models/local.ts'
import { makers } from '../models/makers.ts'
import type { Maker } from '../models/provider.ts'
import { defaultProtocol } from '../protocols/index.ts'
import { modelOf } from '../table/ask.ts'
import {
  type Config,
  type ConfiguredEndpoint,
  ownersPage,
  type SettingsEditor,
  settingsEditor,
  unusedKey,
} from '../table/config.ts'
import { diagnose, tryOut } from '../table/doctor.ts'
import type { OpenReach } from '../table/open-reach.ts'
import { makerAddress } from '../table/reach.ts'
import { refuseFiles } from '../table/resolve.ts'
import { mayConfigure } from './guards.ts'
import { causeOf, misused, Refusal } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type Env, problems, replies, router, type Service, takes } from './service.ts'
import { openSession } from './sessions.ts'

const tags = ['Health']
const good = z.object({ status: z.literal('ok') })

const alive = createRoute({
  method: 'get',
  path: '/healthz',
  tags,
  summary: 'Check that the process is alive',
  responses: { 200: replies(good, 'The process is alive') },
})

const ready = createRoute({
  method: 'get',
  path: '/readyz',
  tags,
  summary: 'Check that the archive answers',
  responses: { 200: replies(good, 'The archive answers'), ...problems },
})

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  tags,
  summary: 'Metrics for Prometheus',
  responses: { 200: { content: { 'text/plain': { schema: z.string() } }, description: 'The metrics' } },
})

/** Everybody may ask, so those who ask at once share one query. */
const readiness = ({ engine, log, closing }: Service): (() => Promise<void>) => {
  let underWay: Promise<unknown> | undefined
  return async () => {
    if (closing.aborted) throw new Refusal(503, 'The server is stopping.')
    underWay ??= engine.archive.find({}, { limit: 1 }).finally(() => {
      underWay = undefined
    })
    await underWay.catch((error: unknown) => {
      log.error({ error: causeOf(error) }, 'The archive does not answer.')
      throw new Refusal(503, 'The archive does not answer. The log of the server says why.')
    })
  }
}

export const healthRoutes = (service: Service, metrics: Metrics) => {
  const checkReady = readiness(service)
  return router()
    .openapi(alive, context => context.json({ status: 'ok' } as const, 200))
    .openapi(ready, async context => {
      await checkReady()
      return context.json({ status: 'ok' } as const, 200)
    })
    .openapi(metricsRoute, async context =>
      context.text(await metrics.text(), 200, { 'content-type': metrics.contentType }),
    )
}

// settingsChanges: Keys, endpoints and defaults that are set while the server runs. No reply repeats a key.

const settingsChangesTags = ['Settings']
const idParams = z.object({ id: z.string().min(1).max(100) })
const done = { 204: { description: 'Saved, and in use from now on' }, ...problems }

const removing = <Path extends string>(path: Path, summary: string) =>
  createRoute({
    method: 'delete',
    path,
    tags: settingsChangesTags,
    summary,
    request: { params: idParams },
    responses: done,
  })

const saveKey = createRoute({
  method: 'put',
  path: '/api/settings/keys/{id}',
  tags: settingsChangesTags,
  summary: 'Save the key of a maker',
  request: { params: idParams, body: takes(keyBodySchema) },
  responses: done,
})

const removeKey = removing('/api/settings/keys/{id}', 'Remove the saved key of a maker')

const saveEndpoint = createRoute({
  method: 'put',
  path: '/api/settings/endpoints/{id}',
  tags: settingsChangesTags,
  summary: 'Save an endpoint: a server that speaks the OpenAI chat format',
  description: 'Another address drops the key that the endpoint had.',
  request: { params: idParams, body: takes(endpointBodySchema) },
  responses: done,
})

const removeEndpoint = removing('/api/settings/endpoints/{id}', 'Remove a saved endpoint and its key')

const saveDefaults = createRoute({
  method: 'put',
  path: '/api/settings/defaults',
  tags: settingsChangesTags,
  summary: 'Save the default table, moderator, deadline and budget',
  request: { body: takes(defaultsBodySchema) },
  responses: done,
})

const agreeToAgents = createRoute({
  method: 'put',
  path: '/api/settings/agents',
  tags: settingsChangesTags,
  summary: 'Say whether the command-line agents of this machine may be the default table',
  request: { body: takes(agreementBodySchema) },
  responses: done,
})

const lookAgain = createRoute({
  method: 'post',
  path: '/api/settings/reload',
  tags: settingsChangesTags,
  summary: 'Read the configuration again, and look for servers on this machine',
  responses: done,
})

const test = createRoute({
  method: 'post',
  path: '/api/settings/providers/{id}/test',
  tags: settingsChangesTags,
  summary: 'Ask a provider for its models, to see whether it answers',
  request: { params: idParams },
  responses: { 200: replies(tryOutSchema, 'What it said'), ...problems },
})

export const changesFor = (
  { reach, guarded, accounts }: Service,
  context: Context<Env>,
): SettingsReply['changes'] => {
  if (!('reload' in reach))
    return {
      allowed: false,
      reason: 'The configuration of this server is fixed: change it where it is started.',
    }
  if (accounts) {
    const allowed = visitorMay(currentVisitor(), 'change-settings')
    return { allowed, ...(!allowed && { reason: 'Only an admin of this server may change its settings.' }) }
  }
  if (mayConfigure(context, guarded)) return { allowed: true }
  return {
    allowed: false,
    reason:
      'To change settings, open this page on the machine that runs Roundtable, or log in with the admin token (ROUNDTABLE_ADMIN_TOKEN).',
  }
}

export const settingsChangeRoutes = (service: Service) => {
  const { reach } = service
  const permit = (context: Context<Env>): void => {
    const { allowed, reason = '' } = changesFor(service, context)
    if (!allowed) throw new Refusal(403, reason)
  }
  /** What can't be used is refused with words; what was saved is in use when the reply is sent. */
  const change = async (
    context: Context<Env>,
    edit: (editor: SettingsEditor) => Promise<void>,
  ): Promise<Response> => {
    permit(context)
    try {
      await edit(settingsEditor(reach.config.data))
    } catch (error) {
      throw misused(422, error)
    }
    if ('reload' in reach) await reach.reload()
    return context.body(null, 204)
  }
  const present = async (removed: Promise<boolean>, id: string): Promise<void> => {
    if (!(await removed)) throw new Refusal(404, `Nothing is saved for "${id}".`)
  }
  return router()
    .openapi(saveKey, async context => {
      const { id } = context.req.valid('param')
      const { env, providers } = reach.config
      const { key } = context.req.valid('json')
      return change(context, editor => editor.saveKey(id, key, makerAddress(id, env, providers)))
    })
    .openapi(removeKey, async context => {
      const { id } = context.req.valid('param')
      return change(context, editor => present(editor.removeKey(id), id))
    })
    .openapi(saveEndpoint, async context => {
      const { id } = context.req.valid('param')
      const { baseURL, key } = context.req.valid('json')
      const clashes = (one: string): boolean => keyVariable(one) === keyVariable(id)
      const other = reach.config.endpoints.find(one => clashes(one.id) && !one.ownKeyOnly)
      if (other)
        throw new Refusal(
          409,
          `The configuration has an endpoint "${other.id}" already. Choose another name.`,
        )
      return change(context, editor => editor.saveEndpoint(id, baseURL, key))
    })
    .openapi(removeEndpoint, async context => {
      const { id } = context.req.valid('param')
      return change(context, editor => present(editor.removeEndpoint(id), id))
    })
    .openapi(saveDefaults, async context => {
      const defaults = context.req.valid('json')
      return change(context, async editor => {
        const { seats = [], moderator } = defaults
        refuseFiles({ seats: seats.map(modelOf), ...(moderator && { moderator }) }, reach)
        await editor.saveDefaults(defaults)
      })
    })
    .openapi(agreeToAgents, async context => {
      const { agreed } = context.req.valid('json')
      return change(context, editor => editor.saveAgreement(agreed))
    })
    .openapi(lookAgain, async context => change(context, async () => {}))
    .openapi(test, async context => {
      permit(context)
      const { id } = context.req.valid('param')
      const finding = await tryOut(reach.config, reach, id, service.clock)
      if (!finding) throw new Refusal(404, `"${id}" isn't configured.`)
      return context.json(finding, 200)
    })
}

// settings: What is configured here, and the built-in model. Never a key: the name of its variable, or its last four characters.

const read = createRoute({
  method: 'get',
  path: '/api/settings',
  tags: settingsChangesTags,
  summary: 'Read what is configured, and with `check=true` what is wrong with it',
  request: { query: settingsQuerySchema },
  responses: { 200: replies(settingsSchema, 'What is configured'), ...problems },
})

const house = createRoute({
  method: 'get',
  path: '/api/house',
  tags: settingsChangesTags,
  summary: 'Read whether the built-in model is downloaded, or the progress of its download',
  responses: { 200: replies(houseSchema, 'The built-in model') },
})

const fetchHouse = createRoute({
  method: 'post',
  path: '/api/house/fetch',
  tags: settingsChangesTags,
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

// stats: The track record of models, from the sessions in the archive.

const stats = createRoute({
  method: 'get',
  path: '/api/stats',
  tags: ['Stats'],
  summary:
    'Read the track record of models: how often they were right in resolved sessions, and how they behave at a table',
  request: { query: statsQuerySchema },
  responses: { 200: replies(statsSchema, 'The record of each model'), ...problems },
})

export const statsRoutes = ({ asker }: Service) =>
  router().openapi(stats, async context =>
    context.json(await asker.record(context.req.valid('query').limit), 200),
  )

// tour: The tour: a session with replies written in advance, run like any other session.

const start = createRoute({
  method: 'post',
  path: '/api/tour',
  tags: ['Sessions'],
  summary: 'Start the tour, a scripted session',
  responses: { 201: replies(openedSchema, 'The session was opened'), ...problems },
})

export const tourRoutes = (service: Service) =>
  router().openapi(start, async context => {
    if (!service.reach.providers.some(({ scripted }) => scripted))
      throw new Refusal(409, 'This server has no scripted seats, so it has no tour.')
    const id = await openSession(service, tour().input, context.get('plannedId'))
    return context.json({ id }, 201, { location: `/api/sessions/${id}` })
  })
