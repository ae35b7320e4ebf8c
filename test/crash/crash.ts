/**
 * Many sessions, a server and its workers, kill -9 at random moments. In the end every session has its verdict, no log
 * has a gap, no call was made whose answer was in the log, and nothing that a watcher saw is missing.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from '../../src/core/basics.ts'
import type { Archive } from '../../src/store/archive.ts'
import { now } from '../lab/call.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { callerOf, callKey, seatCount } from './calls.ts'
import { checked, type Findings } from './check.ts'
import { type Crew, type CrewOptions, startCrew } from './crew.ts'
import { attend, type Course, open, type Watched } from './sessions.ts'
import { type Kill, takeOverTimes } from './take-over.ts'

export interface CrashOptions extends Omit<CrewOptions, 'baseURL'>, Course {
  readonly openArchive: () => Promise<Archive>
  readonly sessions: number
  readonly kills: number
  /** Kills a process that has a call in flight: a few random kills would often interrupt nothing. */
  readonly aimed?: boolean
  readonly log?: (line: string) => void
}

export interface Crashed extends Findings {
  readonly kills: number
  readonly calls: number
  /** Calls that were in flight when their process was killed, and were repeated. */
  readonly repeated: number
  /** Milliseconds from a kill to the next call of a session that it interrupted. */
  readonly takeOvers: readonly number[]
}

const patience = 180_000
/** Some processes are killed before they are ready. */
const hastyStarts = 0.1

/** 50 to 300 ms per call, each seat at its own pace, so that a kill interrupts calls in every state. */
const startModels = () =>
  startLab({
    tokensPerSecond: 1_000,
    models: {
      ...Object.fromEntries(
        Array.from({ length: seatCount }, (_, seat) => [`m${seat + 1}`, { firstTokenMs: 50 + seat * 50 }]),
      ),
      // A table with a patience goes on after ten seconds.
      [`slow-m${seatCount}`]: { firstTokenMs: 13_000 },
    },
    firstTokenMs: 100,
  })

const answered = ({ calls }: Lab): number => calls.filter(call => call.state === 'done').length

/** Waits for some answers, or until none come, so that a kill interrupts work on any machine, however fast. */
const someAnswers = async (lab: Lab, count: number): Promise<void> => {
  const wanted = answered(lab) + count
  for (let tries = 0; answered(lab) < wanted && tries < 150; tries++) await sleep(20)
}

/** A process that has a call in flight, if there is one within a few seconds. */
const somebodyBusy = async (crew: Crew, { calls }: Lab): Promise<number | undefined> => {
  for (let tries = 0; tries < 150; tries++) {
    const busy = new Set(calls.filter(call => call.state === 'open').map(callerOf))
    const found = Array.from({ length: crew.size }, (_, member) => member).find(one =>
      busy.has(crew.name(one)),
    )
    if (found !== undefined) return found
    await sleep(20)
  }
}

/** About: an open question takes a few more. */
const callsOfSession = 2 * seatCount + 1

const killOften = async (
  { kills, seed, aimed = false, log = () => {} }: CrashOptions,
  crew: Crew,
  lab: Lab,
  /** Turns a share of all sessions into a count. */
  openUpTo: (share: number) => number,
): Promise<Kill[]> => {
  const random = randomFor(seed)
  const struck: Kill[] = []
  for (let kill = 1; kill <= kills; kill++) {
    const left = openUpTo(kill / kills) * callsOfSession - answered(lab)
    await someAnswers(lab, Math.floor(random() * Math.max(1, Math.min(40, left))))
    await sleep(random() * 1_000)
    const target = aimed ? await somebodyBusy(crew, lab) : undefined
    const victim = target ?? Math.floor(random() * crew.size)
    struck.push({ at: now(), name: crew.name(victim) })
    await crew.kill(victim)
    const started = crew.start(victim)
    if (random() >= hastyStarts) await started
    // If it fails, it is listed in `fallen`.
    else started.catch(() => {})
    if (kill % 10 === 0) log(`${kill} kills, ${lab.calls.length} calls`)
  }
  return struck
}

/** At the end, repeating each request that opened a session gets the same reply. */
const openedTwice = async (
  address: string,
  sessions: readonly Watched[],
  course: Course,
): Promise<string[]> => {
  const replies = sessions.map(async ({ number, id }) => {
    const again = await open(address, number, course).catch(String)
    return again === id ? [] : [`session ${number} was opened as ${id}, and then as ${again}`]
  })
  return (await Promise.all(replies)).flat()
}

export const crash = async (options: CrashOptions): Promise<Crashed> => {
  const lab = await startModels()
  const crew = await startCrew({ ...options, baseURL: lab.baseURL })
  try {
    const sessions: Watched[] = []
    const attended: Promise<void>[] = []
    const openUpTo = (share: number): number => {
      for (let number = sessions.length; number < Math.ceil(options.sessions * share); number++) {
        const watched: Watched = { number, id: '', seen: [] }
        sessions.push(watched)
        attended.push(attend(crew.address, watched, options))
      }
      return sessions.length
    }
    const struck = await killOften(options, crew, lab, openUpTo)
    await Promise.race([Promise.all(attended), sleep(patience, undefined, { ref: false })])
    const twice = await openedTwice(crew.address, sessions, options)
    await crew.close()
    const archive = await options.openArchive()
    const findings = await checked(archive, sessions, lab.calls).finally(() => archive.close())
    return {
      ...findings,
      problems: [...findings.problems, ...twice, ...crew.fallen],
      kills: struck.length,
      calls: lab.calls.length,
      repeated: lab.calls.length - new Set(lab.calls.map(callKey)).size,
      takeOvers: takeOverTimes(sessions, struck, crew.takings, lab.calls, crew.size === 1),
    }
  } finally {
    crew.abandon()
    await lab.stop()
  }
}
