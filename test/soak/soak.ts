/** Everything at once for a while, on one server: sessions, watchers, imports, random requests, faults and kills. */
import type { Where } from '../../src/run/jobs.ts'
import type { Archive } from '../../src/store/archive.ts'
import { openOnce } from '../crash/sessions.ts'
import { type Checked, checkSessions } from './check.ts'
import { createClient } from './client.ts'
import { gatherEvidence } from './evidence.ts'
import { startImports } from './imports.ts'
import { killConnections, killServer } from './kills.ts'
import { type Memory, watchMemory } from './memory.ts'
import { modelNames, startModels } from './models.ts'
import { watchProcessor } from './processor.ts'
import { startBarePulse, startPulse } from './pulse.ts'
import { startRequests } from './requests.ts'
import { keepRunning, type Running } from './running.ts'
import { startSessions } from './sessions.ts'
import { type Gap, gapsIn, longest, type Span, touches } from './spans.ts'
import { pause, type Stage, seeded } from './stage.ts'

export interface SoakOptions {
  readonly where: Where
  readonly openArchive: () => Promise<Archive>
  readonly home: string
  readonly minutes: number
  readonly seed: string
  /** Whether models also send text that is made to hang or break programs. */
  readonly hostile: boolean
  readonly importsPerSecond: number
  readonly requestsPerSecond: number
  /** Ends it early. */
  readonly signal?: AbortSignal
  readonly log: (line: string) => void
}

export interface Soaked extends Checked {
  readonly problems: readonly string[]
  readonly slowest: readonly string[]
  readonly crashes: readonly string[]
  /** Times that the server had to be killed because it no longer answered. */
  readonly hangs: number
  readonly gap: Gap | undefined
  /** Milliseconds that the server computed in that time, if that is known. */
  readonly gapProcessor: number | undefined
  /** The same of a server that does nothing, on the same machine. */
  readonly bareGap: Gap | undefined
  readonly memory: Memory
  readonly kills: number
  readonly sessions: number
  readonly refused: number
  readonly watchers: number
  readonly calls: number
  readonly faults: number
  readonly imports: { readonly sent: number; readonly accepted: number; readonly refused: number }
  readonly requests: { readonly sent: number }
}

/** Milliseconds after a kill in which a request may fail. */
const excused = 1_500
/** Milliseconds after which a request is worth a line at the end. */
const slow = 1_000
/** Milliseconds that sessions get to end after the time is up. */
const patience = 90_000
/** Milliseconds without an answer after which the server is killed, so that the soak can go on. */
const hanging = 20_000

const startAll = async ({ where, home }: SoakOptions, baseURL: string): Promise<Running[]> => {
  const env = {
    ROUNDTABLE_ENDPOINTS: `lab=${baseURL}`,
    ROUNDTABLE_LAB_KEY: 'soak',
    ...('address' in where && { DATABASE_URL: where.address }),
  }
  const data = 'folder' in where ? ['--data', where.folder] : []
  const server = await keepRunning({
    home,
    env,
    ready: /Roundtable is at (\S+)/,
    words: address => ['serve', '--port', address === '' ? '0' : new URL(address).port, ...data],
  })
  if ('folder' in where) return [server]
  return [server, await keepRunning({ home, env, ready: /Working/, words: () => ['worker'] })]
}

/** Kills a server that has not answered for a long time. Returns how often. */
const endHangs = (stage: Stage, server: Running, answers: readonly number[]): { count: number } => {
  const hangs = { count: 0 }
  let last = Date.now()
  const timer = setInterval(() => {
    const wasLate = Date.now() - last > 2_000
    last = Date.now()
    // This process was busy itself, and hasn't read yet which answers came.
    if (wasLate) return
    const silentSince = Math.max(answers.at(-1) ?? Date.now(), ...server.away.map(({ to }) => to))
    if (Date.now() - silentSince < hanging || stage.gone.aborted) return
    hangs.count++
    stage.note(`the server did not answer for ${hanging / 1_000} s and was killed`)
    void server.kill()
  }, 1_000)
  stage.gone.addEventListener('abort', () => clearInterval(timer))
  return hangs
}

export const soak = async (options: SoakOptions): Promise<Soaked> => {
  const { seed, where, minutes, log } = options
  const models = await startModels(options)
  const running = await startAll(options, models.baseURL)
  const server = running[0]!
  const { address } = server
  const ending = new AbortController()
  const gone = new AbortController()
  const evidence = gatherEvidence()
  const killed: Span[] = []
  const isExcused = (since: number): boolean =>
    touches([...running.flatMap(({ away }) => away), ...killed], since, Date.now(), excused)
  const stage: Stage = {
    ...{ address, random: seeded(seed), signal: ending.signal, gone: gone.signal, note: evidence.note },
    isExcused,
    isFailure(what, since, reply, body) {
      if (isExcused(since)) return false
      const took = Date.now() - since
      if (took > slow) evidence.slow(what, took, body)
      if (reply && reply.status < 500) return false
      const got = reply ? `${reply.status} ${reply.text.slice(0, 300)}` : 'no answer'
      evidence.note(`${what} got ${got}`, body)
      return true
    },
  }
  const pulse = startPulse(address)
  const bare = await startBarePulse()
  const memory = watchMemory(server.pid)
  const processor = watchProcessor(server.pid)
  const clients = await Promise.all([
    createClient(address, 1),
    createClient(address, 2),
    createClient(address, 3),
  ])
  const milliseconds = minutes * 60_000
  try {
    const hangs = endHangs(stage, server, pulse.answers)
    const imports = startImports(stage, clients[0], options.importsPerSecond)
    const sessions = startSessions(stage, clients[1], seed, imports.add)
    const plain = { question: 'What now?', seats: modelNames.slice(0, 3).map(name => `lab/${name}`) }
    const toy = await openOnce(address, 'toy', plain)
    const known = [toy, 's1', 'lab/m1', 'json', 'duo', 'frontier', 'poll', 'choice', plain.question]
    const requests = await startRequests(stage, clients[2], known, options.requestsPerSecond)
    const kills =
      'folder' in where
        ? killServer(stage, server, milliseconds / 4)
        : killConnections(stage, where.address, killed)
    const told = setInterval(() => {
      const { megabytes = 0 } = memory.samples.at(-1) ?? {}
      log(
        `${sessions.list.length} sessions, ${imports.counts.sent} imports, ${requests.counts.sent} requests, ${kills.counts.kills} kills, ${megabytes.toFixed(0)} MB`,
      )
    }, 30_000)
    options.signal?.addEventListener('abort', () => ending.abort())
    await pause(milliseconds, ending.signal)
    clearInterval(told)
    memory.stop()
    ending.abort()
    // Recovery from a log that has grown.
    if ('folder' in where) await server.kill()
    await Promise.race([
      Promise.all([sessions.done, imports.done, requests.done, kills.done]),
      pause(patience, gone.signal),
    ])
    pulse.stop()
    bare.stop()
    gone.abort()
    await Promise.all(running.map(one => one.stop()))
    const archive = await options.openArchive()
    const checked = await checkSessions(archive, sessions.list).finally(() => archive.close())
    const gap = longest(gapsIn(pulse.answers, server.away, pulse.late))
    return {
      ...checked,
      problems: evidence.problems(),
      slowest: evidence.slowest(),
      crashes: running.flatMap(({ crashes }) => crashes),
      hangs: hangs.count,
      gap,
      gapProcessor: gap && processor.used(gap.from, gap.to),
      bareGap: longest(gapsIn(bare.answers)),
      memory,
      kills: kills.counts.kills,
      sessions: sessions.list.length,
      ...sessions.counts,
      calls: models.asked(),
      faults: [...models.faults.values()].reduce((sum, count) => sum + count, 0),
      imports: imports.counts,
      requests: requests.counts,
    }
  } finally {
    ending.abort()
    gone.abort()
    pulse.stop()
    bare.stop()
    memory.stop()
    processor.stop()
    for (const one of running) one.abandon()
    await Promise.all(clients.map(client => client.close()))
    await models.stop()
  }
}
