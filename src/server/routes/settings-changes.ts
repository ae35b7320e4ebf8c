/** Keys, endpoints and defaults that are set while the server runs. No reply repeats a key. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { currentVisitor, visitorMay } from '../../accounts/visitor.ts'
import {
  agreementBodySchema,
  defaultsBodySchema,
  endpointBodySchema,
  keyBodySchema,
  type SettingsReply,
  tryOutSchema,
} from '../../api/index.ts'
import { keyVariable } from '../../providers/endpoints.ts'
import { modelOf } from '../../table/ask-input.ts'
import { tryOut } from '../../table/doctor.ts'
import { makerAddress } from '../../table/reach.ts'
import { refuseFiles } from '../../table/resolve-ask.ts'
import { type SettingsEditor, settingsEditor } from '../../table/saved-settings.ts'
import { mayConfigure } from '../access.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, takes } from '../router.ts'
import type { Env, Service } from '../service.ts'

const tags = ['Settings']
const idParams = z.object({ id: z.string().min(1).max(100) })
const done = { 204: { description: 'Saved, and in use from now on' }, ...problems }

const removing = <Path extends string>(path: Path, summary: string) =>
  createRoute({ method: 'delete', path, tags, summary, request: { params: idParams }, responses: done })

const saveKey = createRoute({
  method: 'put',
  path: '/api/settings/keys/{id}',
  tags,
  summary: 'Save the key of a maker',
  request: { params: idParams, body: takes(keyBodySchema) },
  responses: done,
})

const removeKey = removing('/api/settings/keys/{id}', 'Remove the saved key of a maker')

const saveEndpoint = createRoute({
  method: 'put',
  path: '/api/settings/endpoints/{id}',
  tags,
  summary: 'Save an endpoint: a server that speaks the OpenAI chat format',
  description: 'Another address drops the key that the endpoint had.',
  request: { params: idParams, body: takes(endpointBodySchema) },
  responses: done,
})

const removeEndpoint = removing('/api/settings/endpoints/{id}', 'Remove a saved endpoint and its key')

const saveDefaults = createRoute({
  method: 'put',
  path: '/api/settings/defaults',
  tags,
  summary: 'Save the default table, moderator, deadline and budget',
  request: { body: takes(defaultsBodySchema) },
  responses: done,
})

const agreeToAgents = createRoute({
  method: 'put',
  path: '/api/settings/agents',
  tags,
  summary: 'Say whether the command-line agents of this machine may be the default table',
  request: { body: takes(agreementBodySchema) },
  responses: done,
})

const lookAgain = createRoute({
  method: 'post',
  path: '/api/settings/reload',
  tags,
  summary: 'Read the configuration again, and look for servers on this machine',
  responses: done,
})

const test = createRoute({
  method: 'post',
  path: '/api/settings/providers/{id}/test',
  tags,
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
