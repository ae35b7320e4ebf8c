/** Passkeys over HTTP: log in with one, add one to an account, or join with one by an invitation. */
import type { Context } from 'hono'
import { PasskeyFailure, type Passkeys, passkeysOn } from '../../accounts/passkeys.ts'
import { checkedName } from '../../accounts/person.ts'
import { secretHash } from '../../accounts/secrets.ts'
import { addressOf, bodyLimit } from '../limits.ts'
import { pathAfterLogin } from '../login.ts'
import { Refusal } from '../problem.ts'
import type { Env } from '../service.ts'
import type { Doors } from './doors.ts'
import { enter, fieldsIn, signedIn } from './forms.ts'
import { passkeyScript } from './passkey-parts.ts'
import { siteOf } from './site.ts'

/** Anybody may send these. */
const longestBody = 100_000

const bodyOf = async (context: Context<Env>): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await context.req.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Refusal(400, 'The body is not valid JSON.')
}

const used = (): Refusal =>
  new Refusal(404, 'This invitation was used or revoked, or has expired. Ask for a new one.')

/** `script`: what the plain pages load; undefined if it isn't built. */
export const addPasskeys = (doors: Doors, script: string | undefined): Passkeys => {
  const { app, accounts, clock, wrong } = doors
  const passkeys = passkeysOn(accounts.archive, clock)

  const refused = async <T>(context: Context<Env>, work: Promise<T>): Promise<T> =>
    work.catch(error => {
      if (!(error instanceof PasskeyFailure)) throw error
      wrong(context)
      throw new Refusal(422, error.message)
    })
  /** Somebody who is about to have an account is known by the invitation. */
  const invited = async (context: Context<Env>, body: Readonly<Record<string, unknown>>) => {
    const secret = context.req.param('token') ?? ''
    if (!(await accounts.invitations.with(secret))) throw used()
    return { secret, id: secretHash(secret), name: checkedName(String(body.name ?? '')) }
  }

  app.get(passkeyScript, context => {
    if (script === undefined) throw new Refusal(404, 'The web pages are not built, so there are no passkeys.')
    return context.body(script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })

  const limit = bodyLimit(longestBody)
  app.post('/sign-in/passkey/options', limit, async context =>
    context.json(await refused(context, passkeys.ask(siteOf(context)))),
  )
  app.post('/sign-in/passkey', limit, async context => {
    const { passkey, to } = await bodyOf(context)
    const id = await refused(context, passkeys.signIn(siteOf(context), passkey))
    const person = await accounts.people.withId(id)
    if (!person || person.disabled)
      throw new Refusal(403, 'This account was disabled. Ask an admin of this server.')
    await enter(accounts, context, person)
    return context.json({ to: pathAfterLogin(to) })
  })

  app.post('/account/passkeys/options', limit, async context =>
    context.json(await refused(context, passkeys.offer(signedIn().person, siteOf(context)))),
  )
  app.post('/account/passkeys', limit, async context => {
    const { person } = signedIn()
    const { passkey } = await bodyOf(context)
    await refused(context, passkeys.add(person, siteOf(context), passkey))
    await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'passkey-added', person.id)
    return context.json({ to: '/account' })
  })
  app.post('/account/passkeys/remove', limit, async context => {
    const { person } = signedIn()
    const field = await fieldsIn(context)
    if (await passkeys.remove(person.id, field('id')))
      await accounts.audit.add({ who: person.id, from: addressOf(context) }, 'passkey-removed', person.id)
    return context.redirect('/account', 303)
  })

  app.post('/invitation/:token/passkey/options', limit, async context => {
    const holder = await invited(context, await bodyOf(context))
    return context.json(await refused(context, passkeys.offer(holder, siteOf(context))))
  })
  app.post('/invitation/:token/passkey', limit, async context => {
    const body = await bodyOf(context)
    const { secret, ...holder } = await invited(context, body)
    const join = () => accounts.accept(secret, holder.name, undefined, addressOf(context))
    let person: Awaited<ReturnType<typeof join>> | undefined
    const joined = async (): Promise<string> => {
      person = await join()
      return person.id
    }
    await refused(context, passkeys.add(holder, siteOf(context), body.passkey, joined))
    if (person) await enter(accounts, context, person)
    return context.json({ to: '/' })
  })
  return passkeys
}
