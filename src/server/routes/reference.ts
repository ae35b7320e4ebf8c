/** The API reference, as an OpenAPI 3.1 document and as a page made from it. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { type Fragment, plainPage } from '../plain-page.ts'
import type { Env, Service } from '../service.ts'

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
