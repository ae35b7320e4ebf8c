/**
 * Many sessions, many processes, kill -9 at random moments. In the end every session has its verdict, every log
 * is without a gap, no call was made whose answer was in the log, and nothing that anybody saw is missing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent, SessionOpened } from '../../src/core/event.ts'
import { randomFor } from '../../src/core/random.ts'
import { createRoundtable } from '../../src/runtime/roundtable.ts'
import type { Archive } from '../../src/store/archive/archive.ts'
import type { Where } from '../../src/worker/place.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { callKey, questionOf, seatCount } from './calls.ts'
import { checked, type Findings, type Seen } from './check.ts'
import { type Member, startMember } from './crew.ts'
import type { Report } from './process.ts'

export interface CrashOptions {
  readonly where: Where
  readonly openArchive: () => Promise<Archive>
  /** How many processes run sessions; the first one also opens and watches them. */
  readonly processes: number
  readonly sessions: number
  readonly kills: number
  readonly seed: string
  readonly log?: (line: string) => void
}

export interface Crashed extends Findings {
  readonly kills: number
  readonly calls: number
  /** Calls that were under way when their process was killed, and were made again. */
  readonly repeated: number
  /** Milliseconds from a kill to the next call of a session that was running there. */
  readonly takeOvers: readonly number[]
}

const patience = 180_000

const openings = (sessions: number, seed: string): Promise<(SessionEvent & SessionOpened)[]> =>
  Promise.all(
    Array.from({ length: sessions }, (_, number) =>
      createRoundtable({
        endpoints: [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }],
        newId: () => `crash-${number}`,
      }).open({
        question: questionOf(number),
        seats: Array.from({ length: seatCount }, (_, seat) => `lab/m${seat + 1}`),
        moderator: 'lab/moderator',
        protocol: 'roundtable',
        rounds: 1,
        format: 'choice',
        options: ['Yes', 'No'],
        seed: `${seed} ${number}`,
      }),
    ),
  )

/** 50 to 300 ms a call, each seat at its own pace, so that a kill finds calls in every state. */
const startModels = () =>
  startLab({
    tokensPerSecond: 1_000,
    models: Object.fromEntries(
      Array.from({ length: seatCount }, (_, seat) => [`m${seat + 1}`, { firstTokenMs: 50 + seat * 50 }]),
    ),
    firstTokenMs: 100,
  })

export const crash = async (options: CrashOptions): Promise<Crashed> => {
  const { processes, sessions, kills, seed, log = () => {} } = options
  const random = randomFor(seed)
  const lab = await startModels()
  const firsts = await openings(sessions, seed)
  const opened = new Set<string>()
  const seen: Seen[] = []
  let over = 0
  const hear = (report: Report): void => {
    if (report.type === 'opened') opened.add(report.session)
    if (report.type === 'seen') seen.push(report)
    if (report.type === 'over') over = report.count
  }
  const start = (): Promise<Member> => startMember({ where: options.where, baseURL: lab.baseURL }, hear)
  const crew = await Promise.all(Array.from({ length: processes }, start))
  let wanted = 0
  /** Says again what a new server cannot know: what is watched, and what was not yet acknowledged. */
  const brief = (from: number): void => {
    for (const first of firsts.slice(from, wanted)) {
      crew[0]!.order({ type: 'watch', session: first.id })
      if (!opened.has(first.id)) crew[0]!.order({ type: 'open', first })
    }
  }
  const openUpTo = (count: number): void => {
    const from = wanted
    wanted = Math.max(wanted, Math.min(sessions, count))
    brief(from)
  }

  const struck: { readonly at: number; readonly sessions: readonly string[] }[] = []
  for (let kill = 0; kill < kills; kill++) {
    openUpTo(Math.ceil((sessions * (kill + 1)) / kills))
    await someAnswers(lab, Math.floor(random() * 40))
    await sleep(random() * 100)
    const victim = Math.floor(random() * processes)
    struck.push({ at: performance.timeOrigin + performance.now(), sessions: crew[victim]!.running() })
    await crew[victim]!.kill()
    crew[victim] = await start()
    if (victim === 0) brief(0)
    if ((kill + 1) % 10 === 0) log(`${kill + 1} kills, ${lab.calls.length} calls`)
  }

  for (const until = Date.now() + patience; over < sessions && Date.now() < until; ) {
    crew[0]!.order({ type: 'count' })
    await sleep(200)
  }
  await Promise.all(crew.map(member => member.close()))
  const archive = await options.openArchive()
  try {
    const takeOvers = takeOverTimes(
      struck,
      lab.calls.map(call => ({ at: call.at, key: callKey(call) })),
    )
    const findings = await checked(archive, firsts, lab.calls, seen)
    const repeated = lab.calls.length - new Set(lab.calls.map(callKey)).size
    return { ...findings, kills, calls: lab.calls.length, repeated, takeOvers }
  } finally {
    await archive.close()
    await lab.stop()
  }
}

/** A kill hits in the middle of something, however fast the machine is: so many answers later, or when none come. */
const someAnswers = async ({ calls }: Lab, count: number): Promise<void> => {
  const done = (): number => calls.filter(call => call.state === 'done').length
  const wanted = done() + count
  for (let tries = 0; done() < wanted && tries < 150; tries++) await sleep(20)
}

/** For each session that was running on a killed process: how long until somebody called for it again. */
const takeOverTimes = (
  struck: readonly { readonly at: number; readonly sessions: readonly string[] }[],
  calls: readonly { readonly at: number; readonly key: string }[],
): number[] =>
  struck.flatMap(({ at, sessions }, index) =>
    sessions.flatMap(session => {
      const number = session.replace('crash-', '')
      const next = calls.find(call => call.at > at && call.key.startsWith(`${number} `))
      const again = struck.slice(index + 1).find(later => later.sessions.includes(session))
      // Killed once more before its first call, or over already: no take-over to measure.
      return next && (!again || next.at < again.at) ? [next.at - at] : []
    }),
  )
