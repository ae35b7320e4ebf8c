/** Who can sit at a table: models, protocols, line-ups, and what a session would take. */
import { createRoute } from '@hono/zod-openapi'
import type { z } from 'zod'
import {
  askBodySchema,
  estimateSchema,
  type ModelReply,
  type ModelsReply,
  modelsQuerySchema,
  modelsSchema,
  protocolsSchema,
  retiringSchema,
  sharpenedSchema,
} from '../../api/index.ts'
import { defaultProtocol } from '../../protocols/index.ts'
import { makerLabel } from '../../providers/catalogue/index.ts'
import { type Sharpened, SharpeningFailed } from '../../runtime/sharpen.ts'
import { type AgentModel, agentModels } from '../../table/agent-models.ts'
import { type HouseModel, needWords, searchHouse } from '../../table/house-models.ts'
import { type ModelRow, modelRows } from '../../table/model-rows.ts'
import { retiringFrom } from '../../table/retiring.ts'
import type { TemplateRequest } from '../../table/templates.ts'
import { withBudgetNotes } from '../accounts/estimates.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Service } from '../service.ts'
import { openingFor } from '../sessions.ts'

const tags = ['Table']

const models = createRoute({
  method: 'get',
  path: '/api/models',
  tags,
  summary: 'Find models, best match first',
  request: { query: modelsQuerySchema },
  responses: { 200: replies(modelsSchema, 'Models, and what each of them needs'), ...problems },
})

const retiring = createRoute({
  method: 'get',
  path: '/api/retiring',
  tags,
  summary: 'List models of line-ups that are about to be retired, and their successors',
  responses: { 200: replies(retiringSchema, 'The models, with the day that their provider names') },
})

const rules = createRoute({
  method: 'get',
  path: '/api/protocols',
  tags,
  summary: 'List the protocols',
  responses: { 200: replies(protocolsSchema, 'All protocols') },
})

const estimate = createRoute({
  method: 'post',
  path: '/api/estimate',
  tags,
  summary: 'Estimate calls, tokens, cost and time of a session, without running it',
  request: { body: takes(askBodySchema) },
  responses: { 200: replies(estimateSchema, 'Calls, tokens, dollars and seconds, as ranges'), ...problems },
})

const sharpen = createRoute({
  method: 'post',
  path: '/api/sharpen',
  tags,
  summary: 'Have the moderator propose sharper wordings of a question, without asking it',
  request: { body: takes(askBodySchema) },
  responses: { 200: replies(sharpenedSchema, 'At most three wordings; none if it is clear'), ...problems },
})

/** A model that failed isn't a mistake in the request. */
const proposals = async (
  service: Service,
  request: TemplateRequest,
  signal: AbortSignal,
): Promise<Sharpened> => {
  try {
    return await service.sharpen(await openingFor(service, request, 'sharpen'), signal)
  } catch (error) {
    throw error instanceof SharpeningFailed ? new Refusal(502, error.message) : misused(422, error)
  }
}

const modelReply = ({ model, configured, missing }: ModelRow): ModelReply => ({
  id: model.id,
  name: model.name,
  maker: model.maker,
  makerLabel: makerLabel(model.maker),
  context: model.context ?? null,
  price: model.price ?? null,
  configured,
  missing,
  local: model.local ?? false,
  house: false,
  openWeights: model.openWeights ?? false,
})

const houseReply = ({ model, needs }: HouseModel): ModelReply => ({
  ...modelReply({ model, configured: !needs, missing: needs ? [needWords(needs)] : [] }),
  local: true,
  house: true,
  openWeights: true,
})

const agentReply = ({ model, logIn }: AgentModel): ModelReply => ({
  ...modelReply({
    model,
    configured: logIn === undefined,
    missing: logIn === undefined ? [] : [`logging in: ${logIn}`],
  }),
  agent: true,
})

export const findModels = async (
  service: Service,
  { search = '', maker, configured, local, limit }: z.output<typeof modelsQuerySchema>,
): Promise<ModelsReply> => {
  const { reach } = service
  const hasHouse = reach.providers.some(({ id }) => id === 'house')
  await reach.refresh()
  const filters = {
    ...(maker !== undefined && { maker }),
    ...(local && { local }),
    ...(configured && { configured: (id: string) => reach.providers.some(one => one.id === id) }),
  }
  const rows = modelRows(reach, search, filters).map(modelReply)
  const agents = agentModels(await reach.agents.check(), search, filters).map(agentReply)
  const house = hasHouse ? searchHouse(await service.houseModels(), search, filters) : []
  const all = [...rows, ...agents, ...house.map(houseReply)]
  return { models: all.slice(0, limit), total: all.length }
}

export const tableRoutes = (service: Service) =>
  router()
    .openapi(models, async context =>
      context.json(await findModels(service, context.req.valid('query')), 200),
    )
    .openapi(retiring, async context => {
      const { reach, asker, clock } = service
      await reach.refresh()
      return context.json({ models: retiringFrom(await asker.lineups(), reach, clock()) }, 200)
    })
    .openapi(rules, context => {
      const usual = service.reach.usual.protocol ?? defaultProtocol
      const list = service.reach.protocols.map(({ id, label, summary, rounds }) => ({
        id,
        label,
        summary,
        rounds,
        usual: id === usual,
      }))
      return context.json({ protocols: list }, 200)
    })
    .openapi(estimate, async context => {
      const { estimate: figures } = await openingFor(service, context.req.valid('json'), 'estimate')
      return context.json(await withBudgetNotes(service, figures), 200)
    })
    .openapi(sharpen, async context => {
      const { signal } = context.req.raw
      return context.json(await proposals(service, context.req.valid('json'), signal), 200)
    })
