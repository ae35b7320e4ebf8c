/** Takes sessions from the queue and carries them on, as many at once as there is room for. */
import { isInterjection } from '../core/log/interjection.ts'
import { RunAbandoned } from '../runtime/run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Database } from '../store/database.ts'
import { grouped } from '../store/grouped.ts'
import { readLogs } from '../store/postgres-log.ts'
import type { Store } from '../store/store.ts'
import { countTries, lengthsHeld, triesOf, uncountTry } from '../store/tries.ts'
import type { Bus } from './bus.ts'
import { giveUp } from './give-up.ts'
import type { Jobs, TakenJob } from './jobs.ts'
import type { Logger } from './logger.ts'
import { alarm, oneByOne } from './waiting.ts'

export interface Runs {
  /** There may be something to do. */
  wake(): void
  running(): readonly string[]
  /** Hands over what is running, at once. */
  close(): Promise<void>
}

export interface RunsOptions {
  readonly store: Store
  readonly database: Database
  readonly jobs: Jobs
  readonly bus: Bus
  readonly runtime: Pick<Runtime, 'carryOn'>
  readonly concurrency: number
  readonly logger: Logger
}

/** A try that throws may succeed elsewhere or later: a provider may be configured on another machine. */
const mostTries = 3
/**
 * Tries that ended with their process. A session that takes every process down with it must end too; but those
 * beside it must not, so after the first few it is tried with few other suspects, and then without any.
 */
const mostCrashes = 20
const crashesTogether = 3
const crashesApart = 10
const suspectsTogether = 4

const lookEvery = 1_000
const holdEvery = 3_000

interface Run {
  readonly claim: TakenJob
  readonly abandon: AbortController
  begun: boolean
  done: Promise<void>
}

/** A session whose run has come to an end, and how long its log was then. */
interface Ended {
  readonly id: string
  readonly claim: TakenJob
  readonly length: number
}

/** Knocks when somebody else has written: what the run itself publishes is no news to it, and tells that it got on. */
const knocking = (bus: Bus, session: string, gotOn: () => void) => {
  let newest = -1
  return {
    publish(event: Parameters<Bus['publish']>[1]): void {
      if ('position' in event) {
        newest = Math.max(newest, event.position)
        gotOn()
      }
      bus.publish(session, event)
    },
    interjected: (knock: () => void) =>
      bus.subscribe(
        session,
        event => {
          if ('position' in event && event.position > newest && isInterjection(event)) knock()
        },
        'committed',
      ),
  }
}

export const startRuns = (options: RunsOptions): Runs => {
  const { database, jobs, bus, runtime, concurrency, logger } = options
  const runs = new Map<string, Run>()
  const clock = alarm()
  const inLine = oneByOne()
  /** Those under way that have not got on yet. */
  const suspects = new Set<Promise<void>>()
  let closing = false

  /** Over, unless somebody has written since: then there is more to do, and it is not lost. */
  const settle = grouped((ended: readonly Ended[]) =>
    database.transaction(async transaction => {
      const lengths = await lengthsHeld(
        transaction,
        ended.map(({ id }) => id),
      )
      const over = new Set(ended.filter(({ id, length }) => (lengths.get(id) ?? length) === length))
      await jobs.done(
        [...over].map(({ claim }) => claim),
        transaction,
      )
      return (one: Ended) => over.has(one)
    }),
  )

  const read = grouped(async (wanted: readonly { readonly id: string }[]) => {
    const logs = await readLogs(
      database,
      wanted.map(({ id }) => id),
    )
    return ({ id }) => logs.get(id) ?? []
  })

  const carryOn = async ({ claim, abandon }: Run, gotOn: () => void): Promise<void> => {
    const { session } = claim.data
    const watching = { ...knocking(bus, session, gotOn), abandoned: abandon.signal }
    for (;;) {
      const log = await read({ id: session })
      // Whoever ran it last may have died between writing and telling.
      if (log.length > 0) bus.publish(session, log.at(-1)!)
      const whole = log.length > 0 ? await runtime.carryOn(log, watching) : []
      if (await settle({ id: session, claim, length: whole.length })) return
    }
  }

  const attend = async (run: Run, tries: number, gotOn = (): void => {}): Promise<void> => {
    const { claim } = run
    const { session } = claim.data
    run.begun = true
    try {
      if (tries > mostCrashes)
        throw new Error(`The program ended ${mostCrashes} times while it ran the session`)
      await carryOn(run, gotOn)
    } catch (error) {
      if (error instanceof RunAbandoned) return uncountTry(database, session)
      logger.warn({ session, tries, error: String(error) }, 'A run failed.')
      if (tries < mostTries) await jobs.putBack([claim], tries)
      else await giveUp(options, claim, error)
    }
  }

  const attendInTurn = async (run: Run, turn: Promise<void>, gotOn: () => void): Promise<void> => {
    try {
      await turn
      if (run.abandon.signal.aborted) return
      const { session } = run.claim.data
      const tries = await countTries(database, [session])
      await attend(run, tries.get(session) ?? 0, gotOn)
    } finally {
      gotOn()
    }
  }

  const start = (claim: TakenJob, attended: (run: Run) => Promise<void>): void => {
    const { session } = claim.data
    const run: Run = { claim, abandon: new AbortController(), begun: false, done: Promise.resolve() }
    runs.set(session, run)
    run.done = attended(run)
      .catch(error => {
        logger.error({ session, error: String(error) }, 'A run could not be ended.')
        return jobs.putBack([claim], mostTries)
      })
      // The database is away: the heartbeat ends with the run, so somebody takes it again.
      .catch(error => logger.error({ session, error: String(error) }, 'A run could not be handed back.'))
      .finally(() => {
        const wasFull = runs.size >= concurrency
        // A run that lost its claim may end after the next one of its session has begun here.
        if (runs.get(session)?.claim === claim) runs.delete(session)
        if (wasFull) clock.wake()
      })
  }

  /** A few at once, the least tried first; the next one begins when the log of one before has grown: then it is none. */
  const startSuspects = (claims: readonly TakenJob[], triesBefore: (claim: TakenJob) => number): void => {
    const waiting = claims.map(claim => {
      const [turn, gotOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      start(claim, run => attendInTurn(run, turn.promise, gotOn.resolve))
      return { begin: turn.resolve, gotOn: gotOn.promise, tries: triesBefore(claim) }
    })
    void inLine(async () => {
      for (const { begin, gotOn, tries } of waiting) {
        while (suspects.size >= (tries < crashesApart ? suspectsTogether : 1)) await Promise.race(suspects)
        suspects.add(gotOn)
        void gotOn.then(() => suspects.delete(gotOn))
        begin()
      }
    })
  }

  const startAll = async (claims: readonly TakenJob[]): Promise<void> => {
    const before = await triesOf(
      database,
      claims.map(({ data }) => data.session),
    )
    const triesBefore = ({ data }: TakenJob): number => before.get(data.session) ?? 0
    const sorted = claims.toSorted((one, other) => triesBefore(one) - triesBefore(other))
    const others = sorted.filter(claim => triesBefore(claim) < crashesTogether)
    const sessions = others.map(({ data }) => data.session)
    const tries = await countTries(database, sessions)
    for (const claim of others) start(claim, run => attend(run, tries.get(claim.data.session) ?? 0))
    startSuspects(sorted.slice(others.length), triesBefore)
  }

  const look = async (): Promise<void> => {
    const room = concurrency - runs.size
    const claims = room > 0 ? await jobs.take(room) : []
    if (claims.length === 0) return
    logger.debug({ sessions: claims.map(({ data }) => data.session) }, 'Sessions are taken.')
    await startAll(claims).catch(async error => {
      await jobs.putBack(claims)
      throw error
    })
  }

  const looking = (async () => {
    while (!closing) {
      await look().catch(error => logger.warn({ error: String(error) }, 'The queue could not be read.'))
      if (!closing) await clock.sleep(lookEvery)
    }
  })()

  const hold = async (): Promise<void> => {
    const lost = await jobs.hold([...runs.values()].map(run => run.claim))
    for (const claim of lost) {
      const run = runs.get(claim.data.session)
      if (run?.claim === claim) run.abandon.abort()
    }
  }
  const holding = setInterval(() => {
    hold().catch(error => logger.warn({ error: String(error) }, 'The heartbeat could not be sent.'))
  }, holdEvery)

  return {
    wake: clock.wake,
    running: () => [...runs].filter(([, run]) => run.begun).map(([session]) => session),
    async close() {
      closing = true
      clock.wake()
      await looking
      clearInterval(holding)
      const left = [...runs.values()]
      for (const run of left) run.abandon.abort()
      await Promise.all(left.map(run => run.done))
      await jobs.putBack(left.map(({ claim }) => claim))
    },
  }
}
