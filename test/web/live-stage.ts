/** The pages on a server whose settings can be changed, in a real browser. Nothing is configured at first. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createLog } from '../../src/http/log.ts'
import { tour } from '../../src/library/tour.ts'
import { type ServerOptions, startServer } from '../../src/main/app.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import { openEngine } from '../../src/run/worker.ts'
import { loadConfig } from '../../src/table/config.ts'
import { type LiveReach, liveReach, openReach } from '../../src/table/open-reach.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { buildPages, launchBrowser } from './stage.ts'

export interface LiveStage {
  readonly address: string
  readonly data: string
  readonly lab: Lab
  readonly browser: Browser
  readonly reach: LiveReach
  /** Everything that was logged. */
  log(): string
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  stop(): Promise<void>
}

export const openLiveStage = async (
  labOptions: LabOptions = {},
  variables: Record<string, string> = {},
  more: Partial<ServerOptions> = {},
): Promise<LiveStage> => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-live-'))
  const [pages, lab, browser] = await Promise.all([buildPages(), startLab(labOptions), launchBrowser()])
  const env = { ROUNDTABLE_DATA: data, ROUNDTABLE_CACHE: data, ROUNDTABLE_LOCAL: 'no', ...variables }
  const providers = tour().options.providers ?? []
  const reach = await liveReach(() =>
    openReach(loadConfig({ env, cwd: data, home: data }), { cwd: data, clock: Date.now, providers }),
  )
  const engine = await openEngine({
    where: { folder: join(data, 'archive') },
    runtime: (store, slots) =>
      createRuntime({
        get providers() {
          return reach.providers
        },
        ...{ protocols: reach.protocols, store, slots },
      }),
  })
  const lines: string[] = []
  const log = createLog(true, { write: line => void lines.push(line) })
  const server = await startServer({ engine, reach, log, pages, ...more })
  return {
    ...{ address: server.address, data, lab, browser, reach },
    log: () => lines.join(''),
    async open(path, options) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      await page.goto(`${server.address}${path}`)
      return page
    },
    async stop() {
      await browser.close()
      await server.close()
      await engine.close()
      await lab.stop()
      await Promise.all([data, pages].map(folder => rm(folder, { recursive: true, force: true })))
    },
  }
}
