/** Templates: questions with blanks, saved under a name as files of the data folder. */
import { createRoute } from '@hono/zod-openapi'
import { listedTemplateSchema, templateBodySchema, templateParams, templatesSchema } from '../../api/index.ts'
import { refuseFiles } from '../../table/resolve-ask.ts'
import { templateNamed } from '../../table/templates.ts'
import { misused } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Service } from '../service.ts'

const tags = ['Templates']

const listing = createRoute({
  method: 'get',
  path: '/api/templates',
  tags,
  summary: 'List all templates',
  responses: { 200: replies(templatesSchema, 'Saved and built-in ones') },
})

const read = createRoute({
  method: 'get',
  path: '/api/templates/{name}',
  tags,
  summary: 'Read a template',
  request: { params: templateParams },
  responses: { 200: replies(listedTemplateSchema, 'The template'), ...problems },
})

const save = createRoute({
  method: 'put',
  path: '/api/templates/{name}',
  tags,
  summary: 'Save a template',
  description: 'Blanks are written as `{{name}}`. An option that is one blank stands for a list of options.',
  request: { params: templateParams, body: takes(templateBodySchema) },
  responses: { 204: { description: 'The template was saved' }, ...problems },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/templates/{name}',
  tags,
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
    .openapi(read, async context => {
      const { name } = context.req.valid('param')
      const named = await missing(async () => templateNamed(await templates.list(), name))
      return context.json(named, 200)
    })
    .openapi(save, async context => {
      const template = context.req.valid('json')
      try {
        refuseFiles(template, reach)
      } catch (error) {
        throw misused(422, error)
      }
      await templates.save(context.req.valid('param').name, template)
      return context.body(null, 204)
    })
    .openapi(remove, async context => {
      const { name } = context.req.valid('param')
      await missing(() => templates.remove(name))
      return context.body(null, 204)
    })
