/** What a crawler gets from a shared link: no script runs, and only this session is shown. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shareSchema } from '../../src/api/sessions.ts'
import { type Setup, type SetupOptions, startSetup } from './setup.ts'

const pages = fileURLToPath(new URL('../../src/web', import.meta.url))

const shared = async (setup: Setup, more: object = {}, headers: Record<string, string> = {}) => {
  const id = await setup.ask(more)
  await setup.engine.idle()
  const reply = await setup.call(`/api/sessions/${id}/share`, { method: 'POST', headers })
  return { id, path: shareSchema.parse(await reply.json()).path }
}

const start = (options: SetupOptions = {}) => startSetup({ pages, ...options })

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const metaOf = (page: string): Map<string, string> =>
  new Map(
    [...page.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [
      name!,
      unescaped(content!),
    ]),
  )

test('[H62] the page of a shared link has a title, a description and a preview in its head', async () => {
  const setup = await start()
  await setup.ask({ question: 'A secret of somebody else?' })
  const { path } = await shared(setup)
  const reply = await setup.call(path)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')])
  const page = await reply.text()
  expect(page).toContain('<title>Should a small team start early? · Roundtable</title>')
  expect(page).not.toContain('secret')
  expect(page.match(/name="description"/g)).toHaveLength(1)
  const meta = metaOf(page)
  const title = 'Should a small team start early?'
  const description = expect.stringMatching(/of 3 models agreed|All 3 models agreed/)
  expect(Object.fromEntries(meta)).toMatchObject({
    description,
    robots: 'noindex',
    'og:type': 'article',
    'og:title': title,
    'og:description': description,
    'og:url': `${setup.address}${path}`,
    'og:image': `${setup.address}${path}/preview.png`,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
  })
  const behindProxy = await setup.call(path, { headers: { 'x-forwarded-proto': 'https' } })
  expect(metaOf(await behindProxy.text()).get('og:image')).toMatch(/^https:/)
  const other = await (await setup.call('/')).text()
  expect(other).toContain('<title>Roundtable</title>')
})

test('[H62] the page says that a session is running; a revoked link shows nothing of it', async () => {
  const setup = await start({ runs: false })
  const { id, path } = await shared(setup)
  expect(metaOf(await (await setup.call(path)).text()).get('og:description')).toMatch(
    /^The session is still running. 3 models: /,
  )
  await setup.call(`/api/sessions/${id}/share`, { method: 'DELETE' })
  const gone = await setup.call(path)
  expect([gone.status, await gone.text()]).toEqual([404, await (await setup.call('/')).text()])
  expect((await setup.call(`${path}/preview.png`)).status).toBe(404)
})

test('[H62] a hostile question stays text', async () => {
  const setup = await start({ runs: false })
  const question = `"><script>alert(1)</script></title>\n$& $1 '\u202e ${'long '.repeat(100)}`
  const { path } = await shared(setup, { question })
  const page = await (await setup.call(path)).text()
  expect(page).not.toContain('alert(1)</script>')
  expect(page).not.toContain('\u202e')
  expect(page.match(/<\/title>/g)).toHaveLength(1)
  const title = metaOf(page).get('og:title')
  expect(title).toMatch(/^"><script>alert\(1\)<\/script><\/title> \$& \$1 ' long .*…$/)
  expect(title!.length).toBeLessThanOrEqual(120)
})

test('[H63] the preview is a PNG of the stated size, for anybody who has the link', async () => {
  const token = 'a-long-random-token-of-this-server'
  const authorization = `Bearer ${token}`
  const setup = await start({ token, runs: false })
  const opened = await setup.call('/api/sessions', {
    json: { question: 'Why?', seats: ['lab/a', 'lab/b'] },
    headers: { authorization },
  })
  const { id } = (await opened.json()) as { id: string }
  const link = await setup.call(`/api/sessions/${id}/share`, { method: 'POST', headers: { authorization } })
  const { path } = shareSchema.parse(await link.json())
  const page = await setup.call(path)
  const meta = metaOf(await page.text())
  const reply = await setup.call(`${path}/preview.png`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String)).toEqual([
    meta.get('og:image:width'),
    meta.get('og:image:height'),
  ])
  expect((await setup.call('/shared/unknown/preview.png')).status).toBe(404)
})
