/** Calls outside of any session, such as sharpening a question, count against the budget of whoever asks. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accountsIn } from '../../src/accounts/accounts.ts'
import { serve } from '../web/stage.ts'
import { labFor } from '../worker/setting.ts'
import { cookieOf } from './people.ts'

test('[AC66] sharpening a question is refused without room in the budget, and counted with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-single-'))
  const lab = await labFor()
  const { server, engine, close } = await serve(lab.baseURL, folder, folder, 0, undefined, { accounts: {} })
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  const accounts = accountsIn(engine.archive)
  const ada = await accounts.people.add({ name: 'Ada', role: 'member' })
  const headers = {
    ...cookieOf(await accounts.signIn(ada, '127.0.0.1', 'a test')),
    'content-type': 'application/json',
  }
  const question = { question: 'Should we start early?', seats: ['lab/a', 'lab/b'], moderator: 'lab/a' }
  const sharpen = () =>
    fetch(`${server.address}/api/sharpen`, { method: 'POST', headers, body: JSON.stringify(question) })
  await engine.archive.saveRecord('budget', ada.id, { day: { tokens: 10 } })
  expect(await (await sharpen()).text()).toContain('The budget of Ada, 10 tokens a day, is smaller')
  expect(lab.calls.filter(({ method }) => method === 'POST')).toEqual([])
  await engine.archive.saveRecord('budget', ada.id, { day: { tokens: 100_000 } })
  await sharpen()
  expect(lab.calls.filter(({ method }) => method === 'POST').length).toBeGreaterThan(0)
  await expect
    .poll(() => engine.archive.spending('2000-01-01', '2999-12-31'))
    .toEqual([
      expect.objectContaining({ payer: ada.id, tokens: expect.any(Number) }),
      expect.objectContaining({ payer: 'team' }),
    ])
}, 60_000)
