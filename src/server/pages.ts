/** The web pages if they are built; otherwise one plain page that links to the API. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { pagePolicy } from './headers.ts'
import { plainPage } from './plain-page.ts'
import { problemOf, Refusal } from './problem.ts'
import type { Env, Service } from './service.ts'
import { addSharedPages } from './shared-page.ts'

/** By this the pages know that they may ask who is logged in. */
const accountsMark = '<meta name="accounts" content="on" />'

const nothingThere = (path: string): Response =>
  problemOf(new Refusal(404, `There is nothing at ${path}. /api/docs describes the API.`))

const addPlain = (app: OpenAPIHono<Env>): void => {
  app.get('/', context =>
    plainPage(
      context,
      'Roundtable',
      html`<h1>Roundtable</h1>
<p>The server is running, but its web pages are not built. See <a href="/api/docs">/api/docs</a> for the API.</p>`,
    ),
  )
}

/** Every path that isn't a file or part of the API gets the index page, whose own router finds the page. */
const addBuilt = (app: OpenAPIHono<Env>, folder: string, index: string): void => {
  const headers = { 'content-security-policy': pagePolicy }
  app.get('/assets/*', async (context, next) => {
    context.header('cache-control', 'public, max-age=31536000, immutable')
    await next()
  })
  app.use('/*', serveStatic({ root: folder, index: 'no directory is a page' }))
  app.get('/*', (context, next) => {
    const { path } = context.req
    const isPage = !/^\/(api|assets)\/|\.[a-z0-9]+$/i.test(path)
    return isPage ? context.html(index, 200, { ...headers, 'cache-control': 'no-cache' }) : next()
  })
}

export const addPages = (app: OpenAPIHono<Env>, service: Service, folder: string): void => {
  const file = join(folder, 'index.html')
  const built = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const index = service.accounts ? built?.replace('</title>', `</title>${accountsMark}`) : built
  addSharedPages(app, service, index)
  if (index !== undefined) addBuilt(app, folder, index)
  else addPlain(app)
  app.notFound(context => nothingThere(context.req.path))
}
