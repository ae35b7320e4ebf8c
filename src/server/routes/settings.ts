/** What is configured here, and the built-in model. Never a key: only the names of the variables that hold them. */
import { createRoute } from '@hono/zod-openapi'
import {
  houseFetchBodySchema,
  houseSchema,
  type SettingsReply,
  settingsQuerySchema,
  settingsSchema,
} from '../../api/index.ts'
import { mostSeats } from '../../core/question/ask-input.ts'
import { longestAttachment, longestQuestion } from '../../core/question/question.ts'
import { exporters } from '../../exports/index.ts'
import { defaultProtocol } from '../../protocols/index.ts'
import { localServers } from '../../providers/local.ts'
import { makers } from '../../providers/makers/index.ts'
import { diagnose } from '../../table/doctor.ts'
import type { Usual } from '../../table/reach.ts'
import { causeOf } from '../failure.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Service } from '../service.ts'

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

const providersOf = ({ reach: { connections, config } }: Service): SettingsReply['providers'] => {
  const isLocal = (id: string): boolean => localServers.some(server => server.id === id)
  const own = config.endpoints.map(({ id, label, keyEnv }) => ({
    id,
    label: label ?? id,
    configured: true,
    variables: keyEnv === '' ? [] : [keyEnv],
    local: isLocal(id),
  }))
  const known = makers
    .filter(({ id }) => !own.some(one => one.id === id))
    .map(({ id, label, keys, baseURLVariable, keyPage }) => ({
      id,
      label,
      configured: connections.some(({ maker }) => maker.id === id),
      variables: keys.length > 0 ? keys : [baseURLVariable],
      ...(keyPage && { keyPage }),
      local: keys.length === 0,
    }))
  return [...own, ...known]
}

const usualOf = ({ seats, moderator, protocol, rounds, deadline }: Usual): SettingsReply['usual'] => ({
  seats: seats ?? null,
  ...(moderator !== undefined && { moderator }),
  protocol: protocol ?? defaultProtocol,
  ...(rounds !== undefined && { rounds }),
  ...(deadline !== undefined && { deadline }),
})

const findingsOf = async ({ reach, engine, clock, houseModels }: Service) => {
  const sessions = engine.archive.find({}, { limit: 1 }).then(
    () => ({ subject: 'sessions', state: 'good', words: 'the archive answers' }) as const,
    (error: unknown) => ({ subject: 'sessions', state: 'bad', words: causeOf(error) }) as const,
  )
  return diagnose(reach.config, reach, sessions, await houseModels(), clock)
}

const settingsOf = async (service: Service, check: boolean): Promise<SettingsReply> => {
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
    findings: check ? await findingsOf(service) : null,
  }
}

export const settingsRoutes = (service: Service) =>
  router()
    .openapi(read, async context => {
      const { check = false } = context.req.valid('query')
      return context.json(await settingsOf(service, check), 200)
    })
    .openapi(house, async context => context.json(await service.house.state(), 200))
    .openapi(fetchHouse, async context => {
      const { model } = context.req.valid('json')
      const weights = service.house.named(model)
      if (!weights)
        throw new Refusal(422, `There is no built-in model "${model}". GET /api/house lists the choices.`)
      service.house.start(weights)
      return context.json(await service.house.state(), 202)
    })
