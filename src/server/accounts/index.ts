/** The routes and pages of accounts, which are there only while accounts are on. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Env, ServedAccounts, Service } from '../service.ts'
import { addAccountPage } from './account-page.ts'
import { addPeoplePage } from './people-page.ts'
import { accessName } from './scoped-streams.ts'
import { addSignIn } from './sign-in-page.ts'
import { visibilityRoutes } from './visibility.ts'

export const addAccounts = (
  app: OpenAPIHono<Env>,
  service: Service,
  accounts: ServedAccounts,
  wrong: (context: Context<Env>) => void,
): void => {
  const endedSignIn = (signIn: string): void => service.streams.endFor(accessName({ signIn }))
  const endedKey = (key: string): void => service.streams.endFor(accessName({ key, scope: 'read' }))
  app.route('/', visibilityRoutes(service))
  addSignIn(app, { accounts, ways: [], wrong, ended: endedSignIn })
  addPeoplePage(app, { accounts, endedSignIn })
  addAccountPage(app, { accounts, sections: [], endedSignIn, endedKey })
}
