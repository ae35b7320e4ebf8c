/** Line-ups: tables saved under a name. Saved ones come before configured ones, and those before the built-in. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { deletableBy } from '../../accounts/own-or-teams.ts'
import { lineupBodySchema, lineupSchema, lineupsSchema } from '../../api/index.ts'
import { type BuiltInState, everyLineup, usualTable } from '../../table/lineups.ts'
import { refuseFiles } from '../../table/resolve-ask.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Service } from '../service.ts'

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
