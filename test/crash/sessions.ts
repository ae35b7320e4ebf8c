/** Opens and watches sessions over HTTP while the server is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openedSchema } from '../../src/api/index.ts'
import { connectTo } from '../../src/client/connection.ts'
import { watch } from '../../src/client/watch.ts'
import type { SessionEvent } from '../../src/core/log/event.ts'
import { questionOf, seatCount } from './calls.ts'

export interface Watched {
  readonly number: number
  id: string
  /** Committed events, in order of arrival. */
  readonly seen: SessionEvent[]
  /** Problems with opening or watching it. */
  problem?: string
}

const wish = (number: number, seed: string) => ({
  question: questionOf(number),
  seats: Array.from({ length: seatCount }, (_, seat) => `lab/m${seat + 1}`),
  moderator: 'lab/moderator',
  // Every other session has readings, checks beside the rounds and a report beside the checks.
  ...(number % 2 === 0
    ? { protocol: 'hybrid', format: 'open' }
    : { protocol: 'roundtable', format: 'choice', options: ['Yes', 'No'] }),
  rounds: 1,
  seed: `${seed} ${number}`,
})

/** The server is down, or still counts a request as running that a kill interrupted: try again later. */
const isPassing = (response: Response | undefined): boolean => !response || response.status === 409

/** Repeats the request under one key until there is an answer, so that the session is opened only once. */
export const openOnce = async (
  address: string,
  key: string,
  body: object,
  mayPass: (response: Response | undefined) => boolean = isPassing,
): Promise<string> => {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  }
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${address}/api/sessions`, request).catch(() => undefined)
    const reply: unknown = await response?.json().catch(() => undefined)
    if (response?.ok && reply !== undefined) return openedSchema.parse(reply).id
    if ((response && !response.ok && !mayPass(response)) || tries === 400)
      throw new Error(`could not be opened: ${response?.status} ${JSON.stringify(reply)}`)
    await sleep(250)
  }
}

export const open = (address: string, number: number, seed: string): Promise<string> =>
  openOnce(address, `session-${number}`, wish(number, seed))

/** Opens a session and watches it to its end. */
export const attend = async (address: string, watched: Watched, seed: string): Promise<void> => {
  try {
    watched.id = await open(address, watched.number, seed)
    for await (const event of watch(connectTo({ address }), watched.id, { patience: 60_000 }))
      if ('position' in event) watched.seen.push(event)
  } catch (error) {
    watched.problem = String(error)
  }
}
