/** The pages for tests: freshly built, served by a real server with a lab of models, in a real browser. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import packed from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { createLog } from '../../src/http/log.ts'
import { tour } from '../../src/library/tour.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../src/main/app.ts'
import type { Engine } from '../../src/run/jobs.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import { openEngine } from '../../src/run/worker.ts'
import { runFolder } from '../environment/run-folder.ts'
import type { SmallHouse } from '../house/small-house.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { emptyConfig, testReach } from '../reach.ts'

export interface Stage {
  readonly address: string
  readonly lab: Lab
  readonly browser: Browser
  /** Opens a page in its own window and records its errors. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Asks and returns the session's id. */
  ask(input: object): Promise<string>
  /** Imports a session from the text of a file or transcript. */
  importText(text: string): Promise<string>
  /** Errors and content-policy violations on all pages so far. */
  readonly complaints: readonly string[]
  /** Addresses outside the server that a page requested. */
  readonly strangers: readonly string[]
  stop(): Promise<void>
}

/** Whoever makes the lock first makes the folder; the others wait for it. */
const madeOnce = async (folder: string, make: (part: string) => Promise<void>): Promise<string> => {
  const lock = `${folder}.lock`
  while (!existsSync(folder)) {
    try {
      mkdirSync(lock)
    } catch {
      await setTimeout(100)
      continue
    }
    try {
      await make(`${folder}.part`)
      renameSync(`${folder}.part`, folder)
    } finally {
      rmdirSync(lock)
    }
  }
  return folder
}

/**
 * This browser comes from npm, so the machine doesn't need one. Its program is unpacked at the first use: a test that came
 * meanwhile would start a file that is still being written.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const shared = runFolder()
  if (shared !== undefined)
    await madeOnce(join(shared, 'browser'), async folder => {
      await packed.executablePath()
      mkdirSync(folder)
    })
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  })
}

const buildInto = async (folder: string): Promise<void> =>
  void (await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } }))

/** A folder of one's own. All test files of a run share one build. */
export const buildPages = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-pages-'))
  const shared = runFolder()
  if (shared === undefined) await buildInto(folder)
  else cpSync(await madeOnce(join(shared, 'pages'), buildInto), folder, { recursive: true })
  return folder
}

interface Served {
  readonly server: RunningServer
  readonly engine: Engine
  close(): Promise<void>
}

/** A real engine and server for the models at an address, or for the given built-in model. */
export const serve = async (
  baseURL: string,
  data: string,
  pages: string,
  port = 0,
  house?: Pick<SmallHouse, 'fetching' | 'provider'>,
  more: Partial<ServerOptions> = {},
): Promise<Served> => {
  const { options } = tour()
  const endpoints = house ? [] : [{ id: 'lab', baseURL }]
  const reach = testReach(emptyConfig(data), {
    endpoints,
    providers: house ? [house.provider] : (options.providers ?? []),
  })
  const { providers, protocols } = reach
  const engine = await openEngine({
    where: { folder: join(data, 'archive') },
    runtime: (store, slots) => createRuntime({ providers, protocols, store, slots }),
  })
  const log = createLog(false, { write: () => {} })
  const server = await startServer({
    ...{ engine, reach, log, pages, port },
    ...(house && { house: house.fetching }),
    ...more,
  })
  return {
    server,
    engine,
    async close() {
      await server.close()
      await engine.close()
    },
  }
}

export const openStage = async (labOptions: LabOptions = {}): Promise<Stage> => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-web-'))
  const [pages, lab, browser] = await Promise.all([buildPages(), startLab(labOptions), launchBrowser()])
  const { server, close } = await serve(lab.baseURL, data, pages)
  const { address } = server
  const complaints: string[] = []
  const strangers: string[] = []
  const posted = async (path: string, type: string, body: string): Promise<string> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    const reply = (await response.json()) as { id?: string; detail?: string }
    if (reply.id === undefined) throw new Error(`${path}: ${reply.detail}`)
    return reply.id
  }
  return {
    address,
    lab,
    browser,
    complaints,
    strangers,
    async open(path, options) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      page.on('pageerror', error => complaints.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('request', request => {
        if (!request.url().startsWith(address)) strangers.push(request.url())
      })
      await page.goto(`${address}${path}`)
      return page
    },
    ask: input => posted('/api/sessions', 'application/json', JSON.stringify(input)),
    importText: text => posted('/api/import', 'text/plain', text),
    async stop() {
      await browser.close()
      await close()
      await lab.stop()
      await Promise.all([data, pages].map(folder => rm(folder, { recursive: true, force: true })))
    },
  }
}
