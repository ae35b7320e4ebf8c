/** Sessions of every protocol and format, some with a budget, each with watchers that come and go. */
import { formats } from '../../src/core/question.ts'
import { protocols } from '../../src/protocols/index.ts'
import { openOnce } from '../crash/sessions.ts'
import type { Client } from './client.ts'
import { modelNames } from './models.ts'
import { between, pick, type Random } from './pick.ts'
import { pause, type Stage } from './stage.ts'
import { type Seen, visit, watchToTheEnd } from './watchers.ts'

export interface SoakSession {
  readonly id: string
  /** Tokens. */
  readonly budget?: number
  readonly seen: Seen
}

export interface Sessions {
  readonly list: readonly SoakSession[]
  readonly counts: { refused: number; watchers: number }
  /** Resolves when every session has ended, or nobody waits any longer. */
  readonly done: Promise<void>
}

const options = ['Yes', 'No', 'Later']

const wishOf = (random: Random, number: number, seed: string) => {
  const format = pick(random, formats)
  const hasBudget = random() < 0.4
  const seats = between(random, 2, 5)
  return {
    question: `Question ${number}: should a small team start early?`,
    seats: Array.from(
      { length: seats },
      (_, seat) => `lab/${modelNames[(number + seat) % modelNames.length]}`,
    ),
    moderator: 'lab/moderator',
    protocol: pick(random, protocols).id,
    rounds: between(random, 0, 2),
    format,
    ...((format === 'choice' || format === 'ranking') && { options }),
    ...(format === 'number' && { unit: 'weeks' }),
    ...(hasBudget && { budget: { tokens: between(random, 1_500, 25_000) } }),
    deadline: between(random, 2, 6),
    seed: `${seed} ${number}`,
  }
}

/** The server is away, its database is, or there were too many requests: later it works. */
const mayPass = (response: Response | undefined): boolean =>
  !response || response.status >= 500 || response.status === 409 || response.status === 429

const lanes = 5

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

export const startSessions = (
  stage: Stage,
  client: Client,
  seed: string,
  add: (text: string) => void,
): Sessions => {
  const { address, signal, note } = stage
  const random = stage.random('sessions')
  const list: SoakSession[] = []
  const counts = { refused: 0, watchers: 0 }
  let number = 0

  const attend = async (session: SoakSession): Promise<void> => {
    const { id, seen } = session
    const visits = Array.from({ length: between(random, 0, 3) }, async () => {
      counts.watchers++
      await pause(random() * 3_000, signal)
      await visit(stage, id, seen, random)
    })
    counts.watchers++
    await Promise.race([watchToTheEnd(stage, id, seen), aborted(stage.gone)])
    await Promise.all(visits)
    if (random() > 0.3) return
    const exported = await client.send(`/api/sessions/${id}/export/${pick(random, ['json', 'transcript'])}`)
    if (exported?.status === 200) add(exported.text)
  }

  const one = async (): Promise<void> => {
    const mine = ++number
    const wish = wishOf(random, mine, seed)
    try {
      const id = await openOnce(address, `soak-${mine}`, wish, mayPass)
      const session: SoakSession = {
        id,
        ...(wish.budget && { budget: wish.budget.tokens }),
        seen: new Map(),
      }
      list.push(session)
      await attend(session)
    } catch (error) {
      // Not every protocol takes every format.
      if (/could not be opened: 4/.test(String(error))) counts.refused++
      else note(`session ${mine}: ${error}`)
    }
  }

  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      await one()
      await pause(random() * 500, signal)
    }
  }
  return { list, counts, done: Promise.all(Array.from({ length: lanes }, lane)).then(() => {}) }
}
