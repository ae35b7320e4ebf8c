/** The server side of `watchers.ts`: Roundtable's own, or a minimal fan-out with node:http. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SessionEvent } from '../src/core/event.ts'
import { startServer } from '../src/main/app.ts'
import { localBus } from '../src/run/bus.ts'
import type { Engine } from '../src/run/jobs.ts'
import type { Archive } from '../src/store/archive.ts'
import { memoryStore } from '../src/store/memory.ts'
import { emptyConfig, testReach } from '../test/reach.ts'

interface Fed {
  readonly port: number
  put(session: string, event: SessionEvent): void
}

/** The cheapest possible store, so that only the fan-out is measured. */
const plainArchive = (sessions: readonly string[]): Archive => {
  const logs = new Map(sessions.map(id => [id, [eventAt(0)]]))
  return {
    ...memoryStore(),
    append: async (id, events) => void logs.get(id)?.push(...events),
    read: async (id, after = -1) => (logs.get(id) ?? []).slice(after + 1),
  }
}

const reasoning =
  'A small team learns more from one week with users than from a quarter of planning. '.repeat(5)

const eventAt = (position: number): SessionEvent => ({
  position,
  at: '2026-01-01T00:00:00.000Z',
  type: 'answer-given',
  round: 0,
  seat: `s${position % 6}`,
  answer: { headline: 'Start early, and keep it small.', reasoning, confidence: 0.8, language: 'en' },
})

const ours = async (sessions: readonly string[]): Promise<Fed> => {
  const archive = plainArchive(sessions)
  const bus = localBus()
  const refuse = async (): Promise<never> => Promise.reject(new Error('nothing is opened here'))
  const engine: Engine = {
    ...{ archive, bus, running: () => [] },
    queue: { open: refuse, interject: refuse },
    close: () => bus.close(),
  }
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const { port } = await startServer({ engine, reach: testReach(emptyConfig('.')), log: quiet })
  return {
    port,
    put(session, event) {
      void archive.append(session, [event])
      bus.publish(session, event)
    },
  }
}

const bare = async (sessions: readonly string[]): Promise<Fed> => {
  const archive = plainArchive(sessions)
  const watchers = new Map<string, Set<ServerResponse>>(sessions.map(id => [id, new Set()]))
  const bytesOf = (event: SessionEvent): Buffer =>
    Buffer.from(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`)
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(bytesOf(eventAt(0)))
    watchers.get(request.url?.split('/')[3] ?? '')?.add(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    put(session, event) {
      void archive.append(session, [event])
      const bytes = bytesOf(event)
      for (const response of watchers.get(session) ?? []) response.write(bytes)
    },
  }
}

const job = JSON.parse(process.argv[2]!) as {
  readonly side: 'ours' | 'bare'
  readonly sessions: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}
const server = await (job.side === 'ours' ? ours : bare)(job.sessions)
process.send!({ port: server.port })

process.once('message', () => {
  const started = process.cpuUsage()
  let position = 0
  const feed = setInterval(() => {
    position++
    for (const session of job.sessions) server.put(session, eventAt(position))
    if (position < job.perSecond * job.seconds) return
    clearInterval(feed)
    setTimeout(() => {
      const { user, system } = process.cpuUsage(started)
      process.send!({ processor: (user + system) / 1e6, megabytes: process.memoryUsage().rss / 1e6 })
    }, 500)
  }, 1_000 / job.perSecond)
})
process.once('disconnect', () => process.exit())
