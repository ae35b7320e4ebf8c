/** A page of another origin, in a real browser that also has the server's page open. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage.stop(), 30_000)

const startStranger = async (): Promise<string> => {
  const server = createServer((_, response) => response.end('<!doctype html><title>Other</title>'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs in the page of the other origin, and tries everything that such a page can try. */
const attack = async (address: string): Promise<string[]> => {
  const got: string[] = []
  const body = JSON.stringify({ question: 'Stolen?', seats: ['lab/a', 'lab/b'], moderator: null })
  const attempt = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    await run().then(
      () => got.push(name),
      () => {},
    )
  }
  const post = (init: RequestInit) => fetch(`${address}/api/sessions`, { method: 'POST', body, ...init })
  await attempt('read', async () => (await fetch(`${address}/api/sessions`)).text())
  await attempt('post json', () => post({ headers: { 'content-type': 'application/json' } }))
  await attempt('post text', () => post({ headers: { 'content-type': 'text/plain' } }))
  // The browser sends these and hides the replies: the server must not act on them.
  await post({ mode: 'no-cors' }).catch(() => {})
  await post({ mode: 'no-cors', credentials: 'include' }).catch(() => {})
  await fetch(`${address}/api/tour`, { method: 'POST', mode: 'no-cors' }).catch(() => {})
  navigator.sendBeacon(`${address}/api/sessions`, body)
  await attempt(
    'stream',
    () =>
      new Promise((resolve, reject) => {
        const source = new EventSource(`${address}/api/sessions/any/events`)
        source.onopen = resolve
        source.onerror = () => {
          source.close()
          reject(new Error('refused'))
        }
      }),
  )
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action: `${address}/api/sessions`,
    enctype: 'text/plain',
    target: 'hidden',
  })
  const frame = Object.assign(document.createElement('iframe'), { name: 'hidden' })
  form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1), value: '}' }))
  document.body.append(frame, form)
  await new Promise(resolve => {
    frame.onload = resolve
    form.submit()
  })
  return got
}

test('[H21] in a real browser, a page of another origin can neither read, post, stream nor frame', {
  timeout: 60_000,
}, async () => {
  const page = await stage.open('/')
  await page.goto(await startStranger())
  expect(await page.evaluate(attack, stage.address)).toEqual([])
  expect(stage.lab.calls).toEqual([])
  const { sessions } = (await (await fetch(`${stage.address}/api/sessions`)).json()) as { sessions: [] }
  expect(sessions).toEqual([])
  await page.evaluate(address => {
    document.body.innerHTML = ''
    document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
  }, stage.address)
  const framed = page.frames().find(frame => frame.url().startsWith(stage.address))
  expect(await framed?.getByRole('button').count()).toBeFalsy()
})
