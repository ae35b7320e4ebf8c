/** The routes and pages of accounts, which are there only while accounts are on. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Env, ServedAccounts, Service } from '../service.ts'
import { addAccountPage } from './account-page.ts'
import { budgetOf } from './budget-part.ts'
import { addEndpoints, endpointsOf } from './endpoint-page.ts'
import { addMakerKeys, makerKeysOf } from './maker-key-page.ts'
import { addOidc, oidcWay } from './oidc-routes.ts'
import { passkeyScriptIn, passkeysOf } from './passkey-parts.ts'
import { addPasskeys } from './passkey-routes.ts'
import { accessName } from './scoped-streams.ts'
import { addSignIn } from './sign-in-page.ts'
import { teamRoutes } from './team-routes.ts'
import { teamUsageRoutes } from './team-usage-routes.ts'
import { visibilityRoutes } from './visibility.ts'

export const addAccounts = (
  app: OpenAPIHono<Env>,
  service: Service,
  accounts: ServedAccounts,
  wrong: (context: Context<Env>) => void,
  pages: string,
): void => {
  const { log, clock, reach } = service
  const { oidc, makerKeys, own } = accounts
  const doors = { app, accounts, wrong, log, clock }
  const script = passkeyScriptIn(pages)
  const passkeys = addPasskeys(doors, script)
  const scripts = script !== undefined
  if (oidc) addOidc(doors, oidc)
  if (makerKeys) addMakerKeys(doors, makerKeys, reach)
  const endedSignIn = (signIn: string): void => service.streams.endFor(accessName({ signIn }))
  const endedKey = (key: string): void => service.streams.endFor(accessName({ key, scope: 'read' }))
  app.route('/', visibilityRoutes(service))
  app.route('/', teamRoutes(accounts, { signIn: endedSignIn, key: endedKey }))
  app.route('/', teamUsageRoutes(accounts, service))
  addSignIn(app, {
    ...{ accounts, wrong, ended: endedSignIn },
    ways: oidc ? [oidcWay(oidc)] : [],
    passkeys: scripts,
  })
  const form = addAccountPage(app, {
    ...{ accounts, scripts, endedSignIn, endedKey },
    sections: [
      budgetOf(accounts.archive, clock),
      ...(scripts ? [passkeysOf(passkeys)] : []),
      ...(makerKeys ? [makerKeysOf(makerKeys, reach)] : []),
      ...(own ? [endpointsOf(own.endpoints)] : []),
    ],
  })
  if (own) addEndpoints(form, accounts, own, service)
}
