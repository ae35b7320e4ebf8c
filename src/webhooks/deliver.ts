/**
 * Sends news to each address, signed as Standard Webhooks describes it. A failed delivery is tried again a few times; what
 * waits is bounded, and so is how much is sent in a minute: an address that asks a question for every verdict would
 * otherwise keep the table busy for ever.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { News } from './news.ts'
import type { WebhookSettings } from './settings.ts'

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
