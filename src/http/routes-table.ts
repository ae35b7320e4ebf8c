/** Line-ups: tables saved under a name. Saved ones come before configured ones, and those before the built-in. */

import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { z } from 'zod'
import { withBudgetNotes } from '../accounts/routes.ts'
import { deletableBy } from '../accounts/scoped.ts'
import { askBodySchema } from '../api/sessions.ts'
import {
  estimateSchema,
  lineupBodySchema,
  lineupSchema,
  lineupsSchema,
  listedTemplateSchema,
  type ModelReply,
  type ModelsReply,
  modelsQuerySchema,
  modelsSchema,
  protocolsSchema,
  retiringSchema,
  sharpenedSchema,
  templateBodySchema,
  templateParams,
  templatesSchema,
} from '../api/table.ts'
import { makerLabel } from '../models/catalogue.ts'
import { defaultProtocol } from '../protocols/index.ts'
import { type Sharpened, SharpeningFailed } from '../run/runtime.ts'
import { type ModelRow, modelRows } from '../table/index.ts'
import { type HouseModel, needWords, searchHouse } from '../table/reach.ts'
import { refuseFiles } from '../table/resolve.ts'
import {
  type AgentModel,
  agentModels,
  type BuiltInState,
  everyLineup,
  retiringFrom,
  usualTable,
} from '../table/seats.ts'
import { type TemplateRequest, templateNamed } from '../table/templates.ts'
import { type Fragment, plainPage } from './guards.ts'
import { misused, Refusal } from './log.ts'
import { type Env, problems, replies, router, type Service, takes } from './service.ts'
import { openingFor } from './sessions.ts'

const tags = ['Line-ups']
const nameParams = z.object({
  name: z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u,
      'Use letters, digits, spaces, ".", "-" and "_", and begin with a letter or digit.',
    ),
})

const list = createRoute({
  method: 'get',
  path: '/api/lineups',
  tags,
  summary: 'List all line-ups',
  responses: { 200: replies(lineupsSchema, 'Saved, configured and built-in ones') },
})

const read = createRoute({
  method: 'get',
  path: '/api/lineups/{name}',
  tags,
  summary: 'Read a line-up',
  request: { params: nameParams },
  responses: { 200: replies(lineupSchema, 'The line-up'), ...problems },
})

const save = createRoute({
  method: 'put',
  path: '/api/lineups/{name}',
  tags,
  summary: 'Save a line-up',
  request: { params: nameParams, body: takes(lineupBodySchema) },
  responses: { 204: { description: 'The line-up was saved' }, ...problems },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/lineups/{name}',
  tags,
  summary: 'Delete a saved line-up',
  request: { params: nameParams },
  responses: { 204: { description: 'The line-up was deleted' }, ...problems },
})

const builtInState = async ({ reach, house }: Service): Promise<BuiltInState> => {
  if (!reach.providers.some(({ id }) => id === 'house')) return undefined
  const [ready, { name }] = await Promise.all([house.ready(), house.state()])
  return ready ? { ready } : { absent: name }
}

const lineupsFor = async (service: Service) => {
  const { reach, asker, accounts } = service
  const [saved, state] = await Promise.all([asker.lineups(), builtInState(service), reach.agents.check()])
  const mayDelete = accounts && (await deletableBy(accounts.archive, 'lineup'))
  const lineups = everyLineup(saved, reach, state).map(one =>
    mayDelete && one.origin === 'saved' ? { ...one, mayDelete: mayDelete(one.name) } : one,
  )
  return { lineups, usual: usualTable(reach, state) }
}

export const lineupRoutes = (service: Service) =>
  router()
    .openapi(list, async context => context.json(await lineupsFor(service), 200))
    .openapi(read, async context => {
      const { name } = context.req.valid('param')
      const found = (await lineupsFor(service)).lineups.find(lineup => lineup.name === name)
      if (!found) throw new Refusal(404, `There is no line-up "${name}". It may have been deleted.`)
      return context.json(found, 200)
    })
    .openapi(save, async context => {
      const { seats } = context.req.valid('json')
      try {
        refuseFiles({ seats }, service.reach)
      } catch (error) {
        throw misused(422, error)
      }
      await service.engine.archive.saveLineup(context.req.valid('param').name, seats)
      return context.body(null, 204)
    })
    .openapi(remove, async context => {
      const { name } = context.req.valid('param')
      if (!Object.hasOwn(await service.asker.lineups(), name))
        throw new Refusal(404, `There is no saved line-up "${name}".`)
      await service.engine.archive.removeLineup(name)
      return context.body(null, 204)
    })

// reference: The API reference, as an OpenAPI 3.1 document and as a page made from it.

type Document = ReturnType<OpenAPIHono<Env>['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const methods = ['get', 'post', 'put', 'delete'] as const

const entriesOf = ({ paths = {} }: Document): Entry[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap(method => {
      const operation = item[method]
      return operation ? [{ method, path, operation }] : []
    }),
  )

const nameOf = (schema: unknown): string => {
  const reference = schema instanceof Object && '$ref' in schema ? String(schema.$ref) : ''
  return reference.split('/').at(-1) ?? ''
}

const typesOf = (content: Readonly<Record<string, { schema?: unknown }>> | undefined): Fragment[] =>
  Object.entries(content ?? {}).map(([type, { schema }]) => {
    const name = nameOf(schema)
    return name === '' ? html`${type} ` : html`<a href="#${name}">${name}</a> `
  })

const parameterRows = ({ parameters = [] }: Operation): Fragment[] =>
  parameters.map(parameter =>
    'name' in parameter
      ? html`<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required ? ', required' : ''}</td></tr>`
      : html``,
  )

const responseRows = ({ responses = {} }: Operation): Fragment[] =>
  Object.entries(responses).map(
    ([status, reply]) =>
      html`<tr><td>${status}</td><td>${reply.description} ${typesOf(reply.content)}</td></tr>`,
  )

const entryPart = ({ method, path, operation }: Entry): Fragment => {
  const body =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody.content : undefined
  return html`<h3><b>${method.toUpperCase()}</b> ${path}</h3>
<p>${operation.summary}. ${operation.description ?? ''}</p>
<table>
${parameterRows(operation)}
${body ? html`<tr><td>body</td><td>${typesOf(body)}</td></tr>` : ''}
${responseRows(operation)}
</table>`
}

const schemaPart = (name: string, schema: unknown): Fragment =>
  html`<h3 id="${name}">${name}</h3><pre>${JSON.stringify(schema, null, 2)}</pre>`

const bodyOf = (document: Document): Fragment => {
  const entries = entriesOf(document)
  const tags = [...new Set(entries.map(({ operation }) => operation.tags?.[0] ?? ''))]
  const parts = tags.map(
    tag => html`<h2>${tag}</h2>${entries.filter(one => one.operation.tags?.[0] === tag).map(entryPart)}`,
  )
  const schemas = Object.entries(document.components?.schemas ?? {})
  return html`<h1>${document.info.title}</h1>
<p>${document.info.description}</p>
<p>For programs: <a href="/api/openapi.json">/api/openapi.json</a></p>
${parts}
<h2>Schemas</h2>
${schemas.map(([name, schema]) => schemaPart(name, schema))}`
}

export const addReference = (app: OpenAPIHono<Env>, { version }: Service): void => {
  const document = (): Document =>
    app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Roundtable',
        version,
        description:
          'Ask a table of models, watch the session live, and read the verdict. Errors are RFC 9457 problem documents. A POST with an Idempotency-Key is carried out only once.',
        license: { name: 'MIT' },
      },
    })
  app.get('/api/openapi.json', context => context.json(document()))
  app.get('/api/docs', context => plainPage(context, 'Roundtable API', bodyOf(document())))
}

// table: Who can sit at a table: models, protocols, line-ups, and what a session would take.

const tableTags = ['Table']

const models = createRoute({
  method: 'get',
  path: '/api/models',
  tags: tableTags,
  summary: 'Find models, best match first',
  request: { query: modelsQuerySchema },
  responses: { 200: replies(modelsSchema, 'Models, and what each of them needs'), ...problems },
})

const retiring = createRoute({
  method: 'get',
  path: '/api/retiring',
  tags: tableTags,
  summary: 'List models of line-ups that are about to be retired, and their successors',
  responses: { 200: replies(retiringSchema, 'The models, with the day that their provider names') },
})

const rules = createRoute({
  method: 'get',
  path: '/api/protocols',
  tags: tableTags,
  summary: 'List the protocols',
  responses: { 200: replies(protocolsSchema, 'All protocols') },
})

const estimate = createRoute({
  method: 'post',
  path: '/api/estimate',
  tags: tableTags,
  summary: 'Estimate calls, tokens, cost and time of a session, without running it',
  request: { body: takes(askBodySchema) },
  responses: { 200: replies(estimateSchema, 'Calls, tokens, dollars and seconds, as ranges'), ...problems },
})

const sharpen = createRoute({
  method: 'post',
  path: '/api/sharpen',
  tags: tableTags,
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

// templates: Templates: questions with blanks, saved under a name as files of the data folder.

const templatesTags = ['Templates']

const listing = createRoute({
  method: 'get',
  path: '/api/templates',
  tags: templatesTags,
  summary: 'List all templates',
  responses: { 200: replies(templatesSchema, 'Saved and built-in ones') },
})

const templatesRead = createRoute({
  method: 'get',
  path: '/api/templates/{name}',
  tags: templatesTags,
  summary: 'Read a template',
  request: { params: templateParams },
  responses: { 200: replies(listedTemplateSchema, 'The template'), ...problems },
})

const templatesSave = createRoute({
  method: 'put',
  path: '/api/templates/{name}',
  tags: templatesTags,
  summary: 'Save a template',
  description: 'Blanks are written as `{{name}}`. An option that is one blank stands for a list of options.',
  request: { params: templateParams, body: takes(templateBodySchema) },
  responses: { 204: { description: 'The template was saved' }, ...problems },
})

const templatesRemove = createRoute({
  method: 'delete',
  path: '/api/templates/{name}',
  tags: templatesTags,
  summary: 'Delete a saved template',
  request: { params: templateParams },
  responses: { 204: { description: 'The template was deleted' }, ...problems },
})

/** What isn't there is told as such. */
const missing = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    throw misused(404, error)
  }
}

export const templateRoutes = ({ templates, reach }: Service) =>
  router()
    .openapi(listing, async context => context.json(await templates.list(), 200))
    .openapi(templatesRead, async context => {
      const { name } = context.req.valid('param')
      const named = await missing(async () => templateNamed(await templates.list(), name))
      return context.json(named, 200)
    })
    .openapi(templatesSave, async context => {
      const template = context.req.valid('json')
      try {
        refuseFiles(template, reach)
      } catch (error) {
        throw misused(422, error)
      }
      await templates.save(context.req.valid('param').name, template)
      return context.body(null, 204)
    })
    .openapi(templatesRemove, async context => {
      const { name } = context.req.valid('param')
      await missing(() => templates.remove(name))
      return context.body(null, 204)
    })
