/** What webhooks tell about a session: that it is over, and that somebody outside has a turn. */

import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { documentOf } from '../exports/json.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { outsideTurns } from '../run/run.ts'
import type { Runtime } from '../run/runtime.ts'

export interface News {
  /** The same news has the same id, also if another process tells it again. */
  readonly id: string
  readonly type: 'session.finished' | 'seat.turn'
  readonly data: { readonly session: string; readonly [field: string]: unknown }
}

const finishedNews = (log: readonly SessionEvent[], session: Session): News => {
  const { verdict } = documentOf(log)
  return {
    id: `${session.id}.${session.position}.finished`,
    type: 'session.finished',
    data: {
      session: session.id,
      question: session.question.text,
      outcome: session.outcome,
      ...(verdict && { level: verdict.level, line: verdict.line }),
    },
  }
}

const turnNews = (session: Session, protocols: readonly Protocol[] | undefined): News[] =>
  outsideTurns(session, protocols).map(({ seat, round, deadline }) => ({
    id: `${session.id}.${round}.${seat}.turn`,
    type: 'seat.turn',
    data: {
      ...{ session: session.id, question: session.question.text, seat, round },
      name: session.seats.find(({ id }) => id === seat)?.name,
      deadline: new Date(deadline).toISOString(),
    },
  }))

/** The news of one run, from the log it began with and the log it ended with. */
export const newsOf = (
  before: readonly SessionEvent[],
  after: readonly SessionEvent[],
  protocols?: readonly Protocol[],
): News[] => {
  if (after.length === 0) return []
  const session = fold(after)
  if (!session.outcome) return turnNews(session, protocols)
  const wasOver = before.some(event => event.type === 'session-finished') && before.length === after.length
  return wasOver ? [] : [finishedNews(after, session)]
}

// settings: Where webhooks go, and the secret that signs them: from the process' own environment and from nowhere else.

type Environment = Readonly<Record<string, string | undefined>>

export interface WebhookSettings {
  readonly addresses: readonly URL[]
  readonly secret: Buffer
  /** Of private sessions only that they exist is told; otherwise not even that. */
  readonly idsOfPrivate: boolean
}

const shortestSecret = 20
const mostAddresses = 10

const addressIn = (text: string): URL => {
  // The message doesn't repeat the address: it may hold a key.
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError('ROUNDTABLE_WEBHOOKS: each address must begin with http:// or https://.')
  return new URL(text)
}

/** Undefined if there are none. */
export const webhooksFrom = (env: Environment): WebhookSettings | undefined => {
  const addresses = (env.ROUNDTABLE_WEBHOOKS ?? '')
    .split(/[\s,]+/)
    .filter(text => text !== '')
    .map(addressIn)
  if (addresses.length === 0) return undefined
  if (addresses.length > mostAddresses)
    throw new UsageError(`ROUNDTABLE_WEBHOOKS: there may be at most ${mostAddresses} addresses.`)
  const secret = env.ROUNDTABLE_WEBHOOK_SECRET?.trim() ?? ''
  if (secret.length < shortestSecret)
    throw new UsageError(
      `ROUNDTABLE_WEBHOOKS needs ROUNDTABLE_WEBHOOK_SECRET, a random text of at least ${shortestSecret} characters.`,
      'weak-token',
    )
  const ofPrivate = env.ROUNDTABLE_WEBHOOKS_PRIVATE?.trim() || 'no'
  if (ofPrivate !== 'no' && ofPrivate !== 'ids')
    throw new UsageError('Set ROUNDTABLE_WEBHOOKS_PRIVATE to "no" or "ids".')
  const isEncoded = secret.startsWith('whsec_')
  return {
    addresses,
    secret: isEncoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret),
    idsOfPrivate: ofPrivate === 'ids',
  }
}

// deliver: Sends news to each address, signed as Standard Webhooks describes it. A failed delivery is tried again a few times; what
// waits is bounded, and so is how much is sent in a minute: an address that asks a question for every verdict would
// otherwise keep the table busy for ever.

export interface DeliveryLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface DeliveryLimits {
  /** Milliseconds before each further try. */
  readonly pauses: readonly number[]
  readonly perMinute: number
  /** Deliveries that may wait at once. */
  readonly waiting: number
  /** Milliseconds for one reply. */
  readonly timeout: number
}

const usualLimits: DeliveryLimits = {
  pauses: [1_000, 10_000, 60_000, 300_000],
  perMinute: 120,
  waiting: 1_000,
  timeout: 10_000,
}

export interface Deliveries {
  send(news: News): void
  /** Gives up what waits. */
  close(): Promise<void>
}

export const signatureOf = (secret: Buffer, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`

/** News that was told already isn't told again by this process. */
const mostRemembered = 10_000

export const createDeliveries = (
  { addresses, secret }: WebhookSettings,
  log: DeliveryLog,
  clock: () => number = Date.now,
  limits: DeliveryLimits = usualLimits,
): Deliveries => {
  const closing = new AbortController()
  const told = new Set<string>()
  const underWay = new Set<Promise<void>>()
  let sent: number[] = []

  const isRoom = (): boolean => {
    const now = clock()
    sent = sent.filter(at => at > now - 60_000)
    return sent.length < limits.perMinute && underWay.size < limits.waiting
  }

  /** Undefined if it arrived. */
  const tryOnce = async (address: URL, { id }: News, body: string): Promise<string | undefined> => {
    const seconds = Math.floor(clock() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'roundtable',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secret, id, seconds, body),
    }
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limits.timeout)])
      // A redirect could lead anywhere, also back to this server.
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await response.body?.cancel()
      return response.ok ? undefined : `status ${response.status}`
    } catch (error) {
      const { cause, message } = error as Error
      return cause instanceof Error ? cause.message : message
    }
  }

  const deliver = async (address: URL, news: News): Promise<void> => {
    const body = JSON.stringify({
      type: news.type,
      timestamp: new Date(clock()).toISOString(),
      data: news.data,
    })
    const { host } = address
    for (const pause of [0, ...limits.pauses]) {
      await sleep(pause, undefined, { signal: closing.signal, ref: false })
      const problem = await tryOnce(address, news, body)
      if (problem === undefined) return
      log.warn({ host, webhook: news.id, problem }, 'A webhook did not arrive.')
    }
    log.warn({ host, webhook: news.id }, 'A webhook was given up.')
  }

  return {
    send(news) {
      if (told.has(news.id) || closing.signal.aborted) return
      if (told.size >= mostRemembered) told.clear()
      told.add(news.id)
      for (const address of addresses) {
        if (!isRoom()) {
          log.warn({ host: address.host, webhook: news.id }, 'Too many webhooks: one was dropped.')
          continue
        }
        sent.push(clock())
        const delivery: Promise<void> = deliver(address, news)
          .catch(() => undefined)
          .finally(() => underWay.delete(delivery))
        underWay.add(delivery)
      }
    },
    async close() {
      closing.abort()
      await Promise.all(underWay)
    },
  }
}

// webhooks: Webhooks of a server or worker: what its runs have to tell is sent to the configured addresses.

export interface Webhooks {
  runtime<Runs extends Pick<Runtime, 'carryOn'>>(runtime: Runs): Runs
  close(): Promise<void>
}

/** Undefined if none are configured. Throws UsageError if they are configured wrongly. */
export const openWebhooks = (
  env: Environment,
  log: DeliveryLog,
  protocols?: readonly Protocol[],
): Webhooks | undefined => {
  const settings = webhooksFrom(env)
  if (!settings) return undefined
  const deliveries = createDeliveries(settings, log)
  return {
    runtime: runtime => ({
      ...runtime,
      async carryOn(log, watch) {
        const after = await runtime.carryOn(log, watch)
        const news = newsOf(log, after, protocols)
        if (news.length === 0) return after
        // Whoever reads what the addresses get may be anybody of the team.
        const isPrivate = (await watch?.isPrivate?.()) ?? false
        if (isPrivate && !settings.idsOfPrivate) return after
        for (const one of news)
          deliveries.send(isPrivate ? { ...one, data: { session: one.data.session } } : one)
        return after
      },
    }),
    close: deliveries.close,
  }
}
