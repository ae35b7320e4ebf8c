/** Line-ups: tables saved under a name. Saved ones come before configured ones, and those before the built-in. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { type LineupReply, lineupBodySchema, lineupSchema, lineupsSchema } from '../../api/index.ts'
import type { SeatInput } from '../../core/question/seat-input.ts'
import { lineups as builtIn, resolveLineup } from '../../providers/catalogue/lineups.ts'
import { houseLabel, houseTable } from '../../table/house-table.ts'
import { variableFor } from '../../table/seating.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Service } from '../service.ts'
import { refuseFiles, savedLineups } from '../wish.ts'

const tags = ['Line-ups']
const nameParams = z.object({
  name: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u, 'A name is letters, digits, " ", ".", "-", "_".'),
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
  responses: { 200: replies(lineupSchema, 'The line-up that this name seats'), ...problems },
})

const save = createRoute({
  method: 'put',
  path: '/api/lineups/{name}',
  tags,
  summary: 'Save a line-up',
  request: { params: nameParams, body: takes(lineupBodySchema) },
  responses: { 204: { description: 'It is saved' }, ...problems },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/lineups/{name}',
  tags,
  summary: 'Delete a saved line-up',
  request: { params: nameParams },
  responses: { 204: { description: 'It is gone' }, ...problems },
})

const own = (
  origin: 'saved' | 'configuration',
  lineups: Readonly<Record<string, readonly SeatInput[]>>,
): LineupReply[] =>
  Object.entries(lineups).map(([name, seats]) => ({ name, label: name, seats, origin, missing: [] }))

const built = ({ table }: Service): LineupReply[] => {
  const { connections, catalogue } = table.reach
  const connected = (id: string): boolean => connections.some(({ maker }) => maker.id === id)
  return builtIn.map(({ id, label }) => {
    const { seats, missing } = resolveLineup(id, catalogue(), connected, 6, variableFor)!
    return { name: id, label, seats: seats.map(model => model.id), origin: 'built-in', missing }
  })
}

/** Nobody sits there before the weights are here. */
const houseLineup = async ({ table, house }: Service): Promise<LineupReply[]> => {
  if (!table.providers.some(({ id }) => id === 'house')) return []
  const [ready, { name }] = await Promise.all([house.ready(), house.state()])
  return [
    {
      name: 'house',
      label: houseLabel,
      seats: ready ? houseTable(ready).seats : [],
      origin: 'built-in',
      missing: ready ? [] : [`${name} is not here yet: agree to fetch it`],
    },
  ]
}

const everyLineup = async (service: Service): Promise<LineupReply[]> => {
  const all = [
    ...own('saved', await savedLineups(service)),
    ...own('configuration', service.config.lineups),
    ...built(service),
    ...(await houseLineup(service)),
  ]
  return all.filter(({ name }, index) => all.findIndex(other => other.name === name) === index)
}

export const lineupRoutes = (service: Service) =>
  router()
    .openapi(list, async context => context.json({ lineups: await everyLineup(service) }, 200))
    .openapi(read, async context => {
      const { name } = context.req.valid('param')
      const found = (await everyLineup(service)).find(lineup => lineup.name === name)
      if (!found)
        throw new Refusal(404, `There is no line-up "${name}": GET /api/lineups lists what there is.`)
      return context.json(found, 200)
    })
    .openapi(save, async context => {
      const { seats } = context.req.valid('json')
      try {
        refuseFiles({ seats }, service.config)
      } catch (error) {
        throw misused(422, error)
      }
      await service.engine.archive.saveLineup(context.req.valid('param').name, seats)
      return context.body(null, 204)
    })
    .openapi(remove, async context => {
      const { name } = context.req.valid('param')
      if (!Object.hasOwn(await savedLineups(service), name))
        throw new Refusal(404, `No line-up is saved as "${name}".`)
      await service.engine.archive.removeLineup(name)
      return context.body(null, 204)
    })
