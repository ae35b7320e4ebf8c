/** Pages are fetched with a guard: what an address may lead to, and what a page may hold. */

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type AddressRules, isPublicAddress, readPage } from '../../src/evidence/web.ts'
import { pdfFile } from '../evidence/files.ts'
import { loopback, site, standIn } from './servers.ts'

const why = async (address: string, rules: AddressRules = loopback): Promise<string> => {
  const page = await readPage(address, { rules })
  return 'unreachable' in page ? page.unreachable : `read: ${page.text}`
}

const inside = [
  ...[
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
  ],
  '168.63.129.16',
  ...['169.254.169.254', '100.64.0.1', '100.127.255.255', '224.0.0.1', '239.255.255.250', '255.255.255.255'],
  ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '240.0.0.1'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
  ],
  ...[
    '64:ff9b:1::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
  ],
  ...['2002:7f00:1::', '2001::1', '100::1', 'localhost', '', '1', '0x7f.1'],
]

test('[EV71] addresses of this machine, of its network and of no network are not public', () => {
  expect(inside.filter(isPublicAddress)).toEqual([])
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::8a'])
    expect(isPublicAddress(address), address).toBe(true)
})

test('[EV72] an address that leads inside is refused, however it is written, before anything is sent', async () => {
  const server = await site({ '/': ['text/plain', 'secret words'] })
  const { port } = server
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0x7f000001',
    '2130706433',
    '0',
    '127.1',
  ]
  for (const host of hosts)
    expect(await readPage(`http://${host}:${port}/`), host).toEqual({
      unreachable: 'it is not at a public address',
    })
  for (const address of [
    'ftp://a.example/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:1',
    'a.example',
  ])
    expect(await readPage(address), address).toEqual({ unreachable: 'it is not a web address' })
  expect(await why(`http://user:secret@a.example:${port}/`)).toBe('its address has a user name')
  expect(server.received).toEqual([])
})

test('[EV73] a name with one address inside, or whose addresses change after the check, is refused', async () => {
  const server = await site({ '/': ['text/plain', 'secret words'] })
  const resolves = (...addresses: string[]): AddressRules => ({
    resolve: async () => addresses.map(address => ({ address, family: 4 })),
    allows: isPublicAddress,
  })
  const address = `http://a.example:${server.port}/`
  expect(await why(address, resolves('93.184.216.34', '10.0.0.1'))).toBe('it is not at a public address')
  let asked = 0
  const changing: AddressRules = {
    // The first reply is allowed, for robots.txt; all others lead inside.
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }],
    allows: found => found === '127.0.0.2',
  }
  expect(await why(address, changing)).not.toContain('secret')
  expect(server.received.filter(({ url }) => url === '/')).toEqual([])
})

test('[EV73] the connection goes to the address that was checked: a name is not resolved a second time for it', async () => {
  const server = await site({ '/': ['text/plain', 'the words'] })
  let asked = 0
  const counting: AddressRules = {
    resolve: async () => {
      asked++
      return [{ address: '127.0.0.1', family: 4 }]
    },
    allows: () => true,
  }
  expect(await why(`http://no-such-name.invalid:${server.port}/`, counting)).toBe('read: the words')
  // At most once for each connection: robots.txt and the page.
  expect(asked).toBeLessThanOrEqual(2)
})

test('[EV74] every redirect is checked like the first address, and there are at most five', async () => {
  const secret = await site({ '/': ['text/plain', 'secret words'] })
  const server = await standIn(({ url }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    const hop = Number(/^\/hop(\d+)/.exec(url)?.[1] ?? 0)
    const to: Record<string, string> = {
      '/inside': `http://10.0.0.1:${secret.port}/`,
      '/meta': 'http://169.254.169.254/latest/meta-data/',
      '/mapped': `http://[::ffff:127.0.0.1]:${secret.port}/`,
      '/file': 'file:///etc/passwd',
      '/user': 'http://a:b@a.example/',
      '/once': '/hop1',
    }
    if (url === '/hop1')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('arrived here')
    response.writeHead(302, { location: to[url] ?? `/hop${hop - 1}` }).end()
  })
  const at = (path: string): Promise<string> => why(`http://a.example:${server.port}${path}`)
  for (const path of ['/inside', '/meta', '/mapped'])
    expect(await at(path), path).toBe('it is not at a public address')
  expect(await at('/file')).toBe('it is not a web address')
  expect(await at('/user')).toBe('its address has a user name')
  expect(await at('/once')).toBe('read: arrived here')
  expect(await at('/hop6')).toBe('read: arrived here')
  expect(await at('/hop7')).toBe('it redirects more than 5 times')
  expect(secret.received).toEqual([])
})

test('[EV75] HTML, text and PDF are read; everything else, and what is too large or too slow, is not', async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000, 'a'))
  const server = await standIn(({ url }, response) => {
    const send = (type: string, body: string | Uint8Array, more = {}) =>
      response.writeHead(200, { 'content-type': type, ...more }).end(body)
    if (url === '/html')
      send('text/html; charset=utf-8', '<h1>Title</h1><script>let a = 1</script><p>The words.</p>')
    else if (url === '/latin')
      send('text/html; charset=iso-8859-1', Buffer.from('<p>caf\xe9 au lait</p>', 'latin1'))
    else if (url === '/pdf') send('application/pdf', pdfFile(['First page.', 'The words.']))
    else if (url === '/picture') send('image/png', 'x')
    else if (url === '/bomb') send('text/plain', bomb, { 'content-encoding': 'gzip' })
    else if (url === '/slow') response.writeHead(200, { 'content-type': 'text/plain' }).write('a')
    else response.writeHead(404).end()
  })
  const at = (path: string): Promise<string> => why(`http://a.example:${server.port}${path}`)
  expect(await at('/html')).toBe('read: Title\n\nThe words.')
  expect(await at('/latin')).toBe('read: café au lait')
  expect(await readPage(`http://a.example:${server.port}/pdf`, { rules: loopback })).toMatchObject({
    places: [{ label: 'p. 1' }, { label: 'p. 2' }],
  })
  expect(await at('/picture')).toBe('it is neither HTML, nor text, nor PDF')
  expect(await at('/bomb')).toBe('it is larger than 2 MB')
  expect(await at('/none')).toBe('the server replied 404')
  expect(await readPage(`http://a.example:${server.port}/slow`, { rules: loopback, seconds: 0.3 })).toEqual({
    unreachable: 'it did not arrive in time',
  })
})

test('[EV76] no cookie, no key and no name goes along, and robots.txt is respected', async () => {
  const server = await standIn(({ url }, response) => {
    response.setHeader('set-cookie', 'id=1')
    response.setHeader('content-type', 'text/plain')
    response.end(url === '/robots.txt' ? 'User-agent: *\nDisallow: /private\n' : 'the words')
  })
  const at = (path: string): Promise<string> => why(`http://a.example:${server.port}${path}`)
  expect(await at('/private/page')).toBe('its robots.txt asks not to be read by programs')
  expect(await at('/open')).toBe('read: the words')
  expect(server.received.map(({ url }) => url)).toEqual(['/robots.txt', '/robots.txt', '/open'])
  for (const { headers } of server.received) {
    expect(headers['user-agent']).toBe('Roundtable')
    for (const name of ['cookie', 'authorization', 'referer', 'x-api-key'])
      expect(headers).not.toHaveProperty(name)
  }
  const broken = await standIn((_request, response) => response.writeHead(500).end())
  expect(await why(`http://a.example:${broken.port}/`)).toContain('robots.txt')
})
