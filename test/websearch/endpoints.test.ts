import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { searcherFrom, searcherIn } from '../../src/evidence/search.ts'
import { loadConfig } from '../../src/table/config.ts'
import { json, standIn } from './servers.ts'

const never = new AbortController().signal
const query = 'Is the bridge safe?'

const replies = {
  searxng: {
    query,
    results: [
      {
        url: 'https://a.example/one',
        title: 'One',
        content: 'The bridge is safe.',
        publishedDate: '2026-01-02',
      },
      { url: 'javascript:alert(1)', title: 'No page', content: 'x' },
      { url: 'https://user:secret@a.example/', title: 'A name in it', content: 'x' },
      { url: 'https://b.example/', title: '', content: null },
      { url: 'https://a.example/one', title: 'Twice', content: 'Again' },
    ],
  },
  brave: {
    type: 'search',
    web: {
      results: [
        {
          url: 'https://a.example/one',
          title: 'One',
          description: 'The <strong>bridge</strong> is safe &amp; sound.',
          page_age: '2026-01-02',
          extra_snippets: ['It was built in 1990.'],
        },
        { url: 'https://b.example/', title: 'B' },
      ],
    },
  },
  tavily: {
    results: [
      {
        url: 'https://a.example/one',
        title: 'One',
        content: 'The bridge is safe. [...] It was built in 1990.',
        published_date: '2026-01-02',
      },
      { url: 'https://b.example/', title: 'B', content: '' },
    ],
  },
}

test.each(Object.keys(replies) as (keyof typeof replies)[])(
  '[EV60] %s is asked in its own format, and its results become sources',
  async format => {
    const server = await standIn(json(replies[format]))
    const searcher = searcherFrom({ format, baseURL: server.address, key: 'the-key-of-the-search' })
    const found = await searcher.search(query, never)
    const [request] = server.received
    const asked = new URL(request!.url, server.address)
    expect(request!.method === 'POST' ? JSON.parse(request!.body).query : asked.searchParams.get('q')).toBe(
      query,
    )
    expect(JSON.stringify(request!.headers)).toContain('the-key-of-the-search')
    expect(asked.href).not.toContain('the-key')
    if (!('sources' in found)) throw new Error(found.error.message)
    expect(found.sources.map(({ address }) => address)).toEqual([
      'https://a.example/one',
      'https://b.example/',
    ])
    expect(found.sources[0]).toMatchObject({ title: 'One', date: '2026-01-02' })
    expect(found.sources[0]!.quotes[0]).toMatch(/^The bridge is safe/)
    expect(found.sources[0]!.quotes.join()).not.toMatch(/strong|&amp;/)
    expect(found.sources[1]).toMatchObject({ quotes: [] })
  },
)

test('[EV61] a search that fails says so in its own words, without the key', async () => {
  const key = 'the-key-of-the-search'
  const failing = await standIn(json({ error: { message: `Quota used up for ${key}` } }, 429))
  const page = await standIn((_request, response) => response.writeHead(200).end('<html>Log in</html>'))
  const moved = await standIn((_request, response) =>
    response.writeHead(302, { location: 'http://other.example/' }).end(),
  )
  const fails = async (baseURL: string) => {
    const result = await searcherFrom({ format: 'tavily', baseURL, key }).search(query, never)
    return 'error' in result ? result.error : undefined
  }
  expect(await fails(failing.address)).toMatchObject({
    kind: 'rate-limit',
    message: 'Quota used up for [key]',
  })
  expect(await fails(page.address)).toMatchObject({ message: expect.stringContaining("isn't one of Tavily") })
  expect(await fails(moved.address)).toMatchObject({ message: expect.stringContaining('redirects') })
  expect(await fails('http://127.0.0.1:1')).toMatchObject({ kind: 'network' })
})

test('[EV62] ROUNDTABLE_SEARCH names the endpoint, and a wrong one is refused without repeating it', () => {
  expect(searcherIn({})).toBeUndefined()
  expect(searcherIn({ ROUNDTABLE_SEARCH: 'brave', ROUNDTABLE_SEARCH_KEY: 'k' })?.label).toBe('Brave Search')
  expect(searcherIn({ ROUNDTABLE_SEARCH: 'searxng=http://127.0.0.1:8888' })?.label).toBe('SearXNG')
  for (const wrong of [
    'searxng',
    'searxng=tvly-secret',
    'bing=https://a.example',
    'searxng=http://a:secret@b/',
  ])
    expect(() => searcherIn({ ROUNDTABLE_SEARCH: wrong })).toThrow(/^(?!.*secret).*(http:\/\/|one of)/)
})

test('[EV62] the files of a working folder never name a search endpoint or its key', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'folder-'))
  writeFileSync(
    join(cwd, '.env'),
    'ROUNDTABLE_SEARCH=searxng=http://evil.example\nROUNDTABLE_SEARCH_KEY=k\nOTHER=1\n',
  )
  const { env } = loadConfig({ env: { ROUNDTABLE_SEARCH_KEY: 'own' }, cwd, home: cwd })
  expect(env).toMatchObject({ OTHER: '1', ROUNDTABLE_SEARCH_KEY: 'own' })
  expect(env).not.toHaveProperty('ROUNDTABLE_SEARCH')
})
