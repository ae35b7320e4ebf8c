/** The server is killed during a session that is open in a browser. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startLab } from '../lab/server.ts'
import { buildPages, launchBrowser } from './stage.ts'

const main = fileURLToPath(new URL('server-process.ts', import.meta.url))

const start = async (...words: readonly string[]): Promise<{ child: ChildProcess; port: string }> => {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, port: line.toString().trim() }
}

test('[U22] after the server was killed, the page reconnects, and the session is finished', {
  timeout: 240_000,
}, async () => {
  const lab = await startLab({ tokensPerSecond: 25, tokens: 250 })
  const [pages, browser] = [await buildPages(), await launchBrowser()]
  const data = mkdtempSync(join(tmpdir(), 'roundtable-restart-'))
  onTestFinished(async () => {
    await Promise.all([browser.close(), lab.stop()])
    await Promise.all([data, pages].map(folder => rm(folder, { recursive: true, force: true })))
  })
  const first = await start(lab.baseURL, data, pages)
  const address = `http://127.0.0.1:${first.port}`
  const reply = await fetch(`${address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      question: 'Should a small team start early?',
      seats: ['lab/a', 'lab/b', 'lab/c'],
      moderator: null,
      protocol: 'roundtable',
      rounds: 1,
    }),
  })
  const { id } = (await reply.json()) as { id: string }
  const page = await browser.newPage()
  await page.goto(`${address}/s/${id}`)
  await page.getByText('writing').first().waitFor()
  first.child.kill('SIGKILL')
  await page.getByText('The connection is lost').waitFor()
  await start(lab.baseURL, data, pages, first.port)
  await page.getByText('The session is over').first().waitFor({ timeout: 180_000 })
  const { events } = (await (await fetch(`${address}/api/sessions/${id}`)).json()) as { events: [] }
  expect(Number(await page.getByLabel('Moment of the session').getAttribute('max'))).toBe(events.length)
})
