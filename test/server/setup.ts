/** A real server on loopback over a lab of models, for tests. It is closed when the test ends. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLog } from '../../src/http/log.ts'
import { type ServerOptions, startServer } from '../../src/main/app.ts'
import type { Provider } from '../../src/models/provider.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import type { Archive } from '../../src/store/archive.ts'
import { memoryStore } from '../../src/store/memory.ts'
import type { Config } from '../../src/table/config.ts'
import type { LiveReach, OpenReach } from '../../src/table/open-reach.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { emptyConfig, testReach } from '../reach.ts'
import { type TestEngine, testEngine } from './engine.ts'

export interface Setup {
  readonly address: string
  readonly port: number
  readonly lab: Lab
  readonly archive: Archive
  readonly engine: TestEngine
  readonly reach: OpenReach
  /** Everything that was logged. */
  log(): string
  call(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>
  /** Asks, and returns the id of the session. */
  ask(more?: object): Promise<string>
  close(): Promise<void>
}

export interface SetupOptions extends Partial<Omit<ServerOptions, 'reach'>> {
  readonly lab?: LabOptions
  readonly archive?: Archive
  readonly config?: Partial<Config>
  /** What can be seated besides what is configured, or in another way. */
  readonly reach?: Partial<OpenReach>
  /** Instead of all that: a reach whose settings can be changed. */
  readonly live?: LiveReach
  /** Besides the lab. */
  readonly providers?: readonly Provider[]
  /** If false, sessions are opened but not run. */
  readonly runs?: boolean
}

export const question = {
  question: 'Should a small team start early?',
  format: 'choice',
  options: ['Yes', 'No'],
  seats: ['lab/a', 'lab/b', 'lab/c'],
  protocol: 'poll',
}

export const secretKey = 'sk-secret-of-the-lab-0123456789'

export const startSetup = async (options: SetupOptions = {}): Promise<Setup> => {
  const {
    lab: labOptions = {},
    archive = memoryStore(),
    config = {},
    runs = true,
    providers = [],
    reach: more,
    live,
    ...server
  } = options
  const lab = await startLab({ key: secretKey, ...labOptions })
  const data = mkdtempSync(join(tmpdir(), 'roundtable-server-'))
  const endpoint = { id: 'lab', baseURL: lab.baseURL, key: secretKey }
  const whole: Config = {
    ...emptyConfig(data),
    endpoints: [{ ...endpoint, keyEnv: 'LAB_API_KEY', from: 'ROUNDTABLE_ENDPOINTS' }],
    ...config,
  }
  const reach = live ?? { ...testReach(whole, { providers }), ...more }
  const runtime = createRuntime({
    get providers() {
      return reach.providers
    },
    ...{ protocols: reach.protocols, store: archive },
  })
  const engine = testEngine(archive, runs ? runtime : null)
  const lines: string[] = []
  const log = createLog(true, { write: line => void lines.push(line) })
  const running = await startServer({ engine, reach, log, pages: data, ...server })
  const close = async (): Promise<void> => {
    await running.close()
    await lab.stop()
    await engine.close()
    await rm(data, { recursive: true, force: true })
  }
  onTestFinished(close)
  const call: Setup['call'] = (path, { json, ...init } = {}) =>
    fetch(`${running.address}${path}`, {
      ...init,
      ...(json !== undefined && {
        method: init.method ?? 'POST',
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    })
  const ask: Setup['ask'] = async more => {
    const reply = await call('/api/sessions', { json: { ...question, ...more } })
    return ((await reply.json()) as { id: string }).id
  }
  const { address, port } = running
  return { address, port, lab, archive, engine, reach, log: () => lines.join(''), call, ask, close }
}
