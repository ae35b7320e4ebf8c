/**
 * The view that a client with MCP Apps shows beside a result. It has the one script: the handshake that the extension asks
 * for. Then it replaces itself by the session's page, which has none and allows none.
 */

/** The same document for every session, so that a client may keep it. */
export const viewAddress = 'ui://roundtable/session'

/** A session's own page. */
export const sessionViews = 'ui://roundtable/sessions'

export const viewType = 'text/html;profile=mcp-app'

const script = `
const waiting = new Map()
let last = 0, told = 0, page, theme
const send = message => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject })
    send({ id: last, method, params })
  })
const tellSize = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  if (height === told) return
  told = height
  send({ method: 'ui/notifications/size-changed', params: { height } })
}
const tell = words => {
  document.querySelector('p').textContent = words
  tellSize()
}
const openLink = event => {
  const link = event.target.closest('a[href]')
  if (!link || link.getAttribute('href').startsWith('#')) return
  event.preventDefault()
  ask('ui/open-link', { url: link.href }).catch(() => {})
}
/** The page knows the system's colours, the host its own. */
const become = () => {
  document.open()
  document.write(theme ? page.replace('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all') : page)
  document.close()
  // Writing a document takes the listeners away.
  listen()
  addEventListener('click', openLink)
  tellSize()
}
const unfinished = { running: 'The table is deliberating.', 'your-turn': 'The table waits for an answer from here.' }
const show = async result => {
  const { id, status = 'finished' } = result.structuredContent ?? {}
  tell(unfinished[status] ?? (result.content ?? []).map(part => part.text ?? '').join('\\n'))
  if (result.isError || id === undefined || status !== 'finished') return
  const { contents } = await ask('resources/read', { uri: '${sessionViews}/' + encodeURIComponent(id) })
  page = contents[0].text
  become()
}
const look = context => {
  if (!context?.theme || context.theme === theme) return
  theme = context.theme
  document.documentElement.style.colorScheme = theme
  if (page) become()
}
const hear = ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params, result, error } = data
  if (method === 'ui/notifications/tool-result') show(params).catch(() => {})
  else if (method === 'ui/notifications/host-context-changed') look(params)
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
  else if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: 'Not offered.' } })
  else if (method === undefined) {
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }
}
const listen = () => {
  addEventListener('message', hear)
  addEventListener('resize', tellSize)
}
listen()
ask('ui/initialize', {
  appInfo: { name: 'roundtable', version: '1' },
  appCapabilities: {},
  protocolVersion: '2026-01-26',
}).then(({ hostContext }) => {
  look(hostContext)
  send({ method: 'ui/notifications/initialized' })
  tellSize()
})
`

export const viewPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Roundtable</title>
<style>
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif }
p { margin: 0; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<p></p>
<script>${script}</script>
</body>
</html>
`
