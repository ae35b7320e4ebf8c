/** The pages of a server with accounts, in a real browser, and people who are logged in there. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Accounts } from '../../src/accounts/accounts.ts'
import type { Role } from '../../src/accounts/person.ts'
import type { Archive } from '../../src/store/archive.ts'
import { accountsOf, cheap } from '../accounts/people.ts'
import type { LabOptions } from '../lab/options.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { buildPages, launchBrowser, serve } from './stage.ts'

export interface TeamStage {
  readonly address: string
  readonly lab: Lab
  readonly browser: Browser
  readonly archive: Archive
  readonly accounts: Accounts
  /** Errors on all pages so far. */
  readonly complaints: readonly string[]
  /** A window in which nobody is logged in. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** A window of this person, who is new if nobody has the name. */
  openAs(name: string, role: Role, path: string, options?: BrowserContextOptions): Promise<Page>
  stop(): Promise<void>
}

export const password = 'correct horse battery'

export const openTeamStage = async (labOptions: LabOptions = {}): Promise<TeamStage> => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-team-'))
  const [pages, lab, browser] = await Promise.all([buildPages(), startLab(labOptions), launchBrowser()])
  const served = await serve(lab.baseURL, data, pages, 0, undefined, { accounts: cheap })
  const { address } = served.server
  const { archive } = served.engine
  const accounts = accountsOf(archive)
  const complaints: string[] = []
  const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // The browser itself says so of every reply that isn't a success.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    return page
  }
  const personNamed = async (name: string, role: Role) => {
    const known = await accounts.people.named(name)
    if (known) return known
    const person = await accounts.people.add({ name, role })
    await accounts.passwords.set(person.id, password)
    return person
  }
  return {
    ...{ address, lab, browser, archive, accounts, complaints },
    async open(path, options) {
      const page = await newPage(options)
      await page.goto(`${address}${path}`)
      return page
    },
    async openAs(name, role, path, options) {
      const page = await newPage(options)
      const secret = await accounts.signIn(await personNamed(name, role), '127.0.0.1', 'a test')
      await page.context().addCookies([{ name: 'roundtable-sign-in', value: secret, url: address }])
      await page.goto(`${address}${path}`)
      return page
    },
    async stop() {
      await browser.close()
      await served.close()
      await lab.stop()
      await Promise.all([data, pages].map(folder => rm(folder, { recursive: true, force: true })))
    },
  }
}

/** Asks as whoever is logged in on this page, and returns the id of the session. */
export const askOn = (page: Page, more: object = {}): Promise<string> =>
  page.evaluate(
    async body => {
      const response = await fetch('/api/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const reply = (await response.json()) as { id?: string; detail?: string }
      if (reply.id === undefined) throw new Error(reply.detail)
      return reply.id
    },
    JSON.stringify({
      ...{ question: 'Is the zeppelin safe?', options: ['Yes', 'No'], seats: ['lab/a', 'lab/b'] },
      ...{ protocol: 'poll', moderator: null },
      ...more,
    }),
  )
