/** A finished session as a view: what clients with MCP Apps are given, and what a real host of the extension shows of it. */

import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import {
  AppBridge,
  getToolUiResourceUri,
  McpUiResourceMetaSchema,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as FirstInMemory } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, onTestFinished, test } from 'vitest'
import { createMcpServer, longestPage, pageOfSession } from '../../src/mcp/mcp-server.ts'
import type { Tables } from '../../src/mcp/server.ts'
import { startSetup } from '../server/setup.ts'
import { largeLog } from '../web/hostile.ts'
import { launchBrowser } from '../web/stage.ts'

const info = { name: 'test', version: '1' }
const shows = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } }
const ask = { question: 'Should a small team start early?', options: ['Yes', 'No'] }
const config = { seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m', protocol: 'poll' }
const hostile = '<img src=x onerror="parent.acted=1;window.acted=1"><script>window.acted=1</script>'
const answer = {
  ...{
    headline: `Yes. ${hostile}`,
    choice: 'Yes',
    reasoning: `Cheap: https://example.org/why ${hostile}`,
    confidence: 0.8,
  },
  ...{ answer: 'Yes.', reasons: [] },
}

const connected = async (address: string, capabilities: object): Promise<Client> => {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' }, capabilities })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))
  onTestFinished(() => client.close())
  return client
}

test('[MCP55] a client that declares MCP Apps gets the view and the session’s page; any other sees no difference', async () => {
  const { address } = await startSetup({ config, lab: { handler: () => answer } })
  const [able, plain] = [await connected(address, shows), await connected(address, {})]
  const { tools } = await able.listTools()
  const withViews = tools.filter(tool => getToolUiResourceUri(tool) !== undefined)
  expect(withViews.map(({ name }) => name)).toEqual([
    ...['ask_table', 'wait_for_table', 'take_seat', 'show_session'],
  ])
  expect((await plain.listTools()).tools).toEqual(tools.map(({ _meta, ...tool }) => tool))
  expect((await plain.listResources()).resources).toEqual((await able.listResources()).resources)

  const reply = await able.callTool({ name: 'ask_table', arguments: ask })
  const { id } = reply.structuredContent as { id: string }
  const uri = `ui://roundtable/sessions/${id}`
  expect(reply._meta).toMatchObject({ ui: { resourceUri: uri } })
  const { _meta, ...seen } = await plain.callTool({ name: 'wait_for_table', arguments: { id } })
  expect(_meta).not.toHaveProperty('ui')
  expect(seen).toMatchObject({ content: reply.content, structuredContent: reply.structuredContent })
  for (const address of [uri, getToolUiResourceUri(withViews[0]!)!]) {
    const [page] = (await able.readResource({ uri: address })).contents
    expect(page).toMatchObject({ uri: address, mimeType: RESOURCE_MIME_TYPE })
    McpUiResourceMetaSchema.parse(page!._meta?.ui)
  }
  const [page] = (await able.readResource({ uri })).contents
  expect((page as { text: string }).text).not.toMatch(/<script|<link|src=["h]|@import/i)
  await expect(able.readResource({ uri: 'ui://roundtable/sessions/nobody' })).rejects.toThrow('nobody')
})

test('[MCP55] over a connection, the handshake says whether views are shown', async () => {
  const offered = async (capabilities: object) => {
    const [here, there] = FirstInMemory.createLinkedPair()
    await createMcpServer({} as Tables, '1').connect(there)
    const client = new FirstClient(info, { capabilities })
    await client.connect(here)
    return (await client.listTools()).tools.filter(({ _meta }) => _meta !== undefined).length
  }
  expect([await offered(shows), await offered({})]).toEqual([4, 0])
})

test('[MCP56] a page that is too long leaves out what each seat wrote', () => {
  const whole = pageOfSession(largeLog(3, 1))
  expect(whole).toContain('Sealed round')
  const cut = pageOfSession(largeLog(200, 4))
  expect(cut.length).toBeLessThan(longestPage)
  expect(cut).toContain('What each seat wrote is left out here.')
})

/** As the extension asks of a host that gives a view no rights. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'"

test('[MCP57] in a real host the view shows the session, runs nothing of it, and loads nothing', {
  timeout: 60_000,
}, async () => {
  const { address } = await startSetup({ config, lab: { handler: () => answer } })
  const client = await connected(address, shows)
  const { tools } = await client.listTools()
  const [view] = (await client.readResource({ uri: getToolUiResourceUri(tools[0]!)! })).contents
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 720, height: 900 } })
  const strangers: string[] = []
  await page.route('**/*', route => {
    const { pathname } = new URL(route.request().url())
    const frame = '<iframe src="/view" sandbox="allow-scripts" style="width:100%;border:0"></iframe>'
    const script = '<script>addEventListener("message", ({ data }) => window.hear?.(data))</script>'
    if (pathname === '/host') return route.fulfill({ contentType: 'text/html', body: script + frame })
    if (pathname === '/view')
      return route.fulfill({
        ...{ contentType: 'text/html', body: (view as { text: string }).text },
        headers: { 'content-security-policy': policy },
      })
    strangers.push(pathname)
    return route.abort()
  })
  const transport: Transport = {
    start: async () => {
      await page.exposeFunction('hear', (message: object) => transport.onmessage?.(message as never))
    },
    send: message =>
      page.evaluate(
        given => document.querySelector('iframe')!.contentWindow!.postMessage(given, '*'),
        message as object,
      ),
    close: async () => {},
  }
  const capabilities = { serverResources: {}, serverTools: {}, openLinks: {} }
  const bridge = new AppBridge(client, info, capabilities, { hostContext: { theme: 'dark' } })
  const heights: number[] = []
  bridge.addEventListener('sizechange', ({ height }) => void heights.push(height ?? 0))
  const ready = new Promise<void>(resolve => bridge.addEventListener('initialized', () => resolve()))
  const opened: string[] = []
  bridge.onopenlink = async ({ url }) => {
    opened.push(url)
    return {}
  }
  await bridge.connect(transport)
  await page.goto('http://host.test/host')
  await ready
  const frame = page.frameLocator('iframe')
  await bridge.sendToolResult({ content: [], structuredContent: { id: 'x', status: 'running' } })
  await expect.poll(() => frame.locator('p').textContent()).toBe('The table is deliberating.')
  const result = await client.callTool({ name: 'ask_table', arguments: ask })
  await bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0])
  await expect.poll(() => frame.locator('#answer').count()).toBe(1)
  expect(await frame.locator('body').innerText()).toContain('All 3 models agreed')
  expect(await frame.locator('body').innerText()).toContain('<img src=x')
  expect(await frame.locator('script, img').count()).toBe(0)
  expect(await frame.locator('body').evaluate(() => 'acted' in window)).toBe(false)
  await expect.poll(() => heights.at(-1)).toBeGreaterThan(300)
  const paper = () => frame.locator('body').evaluate(body => getComputedStyle(body).backgroundColor)
  expect(await paper()).toBe('rgb(25, 24, 22)')
  bridge.setHostContext({ theme: 'light' })
  await expect.poll(paper).toBe('rgb(253, 252, 250)')
  await frame.locator('a[href^="https://example.org"]').first().click()
  await expect.poll(() => opened).toEqual(['https://example.org/why'])
  expect(strangers).toEqual([])
})
