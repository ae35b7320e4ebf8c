/** Opens and watches sessions over HTTP while the server is killed again and again. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openedSchema } from '../../src/api/sessions.ts'
import { connectTo, watch } from '../../src/client/client.ts'
import type { SessionEvent } from '../../src/core/event.ts'
import { questionOf, seatCount } from './calls.ts'

export interface Watched {
  readonly number: number
  id: string
  /** Committed events, in order of arrival. */
  readonly seen: SessionEvent[]
  /** Problems with opening or watching it. */
  problem?: string
}

/** What all sessions of a run have in common. */
export interface Course {
  readonly seed: string
  /** Every fourth session has a seat that the table goes on without. It takes half a minute, so short runs have none. */
  readonly slow?: boolean
}

const hasSlowSeat = (number: number, { slow = false }: Course): boolean => slow && number % 4 === 0

const wish = (number: number, course: Course) => ({
  question: questionOf(number),
  seats: Array.from({ length: seatCount }, (_, seat) => `lab/m${seat + 1}`).with(
    -1,
    `lab/${hasSlowSeat(number, course) ? 'slow-' : ''}m${seatCount}`,
  ),
  ...(hasSlowSeat(number, course) && { patience: 1 }),
  moderator: 'lab/moderator',
  // Every other session has readings, checks beside the rounds and a report beside the checks.
  ...(number % 2 === 0
    ? { protocol: 'hybrid', format: 'open' }
    : { protocol: 'roundtable', format: 'choice', options: ['Yes', 'No'] }),
  rounds: 1,
  seed: `${course.seed} ${number}`,
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

export const open = (address: string, number: number, course: Course): Promise<string> =>
  openOnce(address, `session-${number}`, wish(number, course))

/** Opens a session and watches it to its end. */
export const attend = async (address: string, watched: Watched, course: Course): Promise<void> => {
  try {
    watched.id = await open(address, watched.number, course)
    for await (const event of watch(connectTo({ address }), watched.id, { patience: 60_000 }))
      if ('position' in event) watched.seen.push(event)
  } catch (error) {
    watched.problem = String(error)
  }
}
