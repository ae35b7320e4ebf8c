/**
 * What strangers and hostile files cost a server: `npm run perf:doors`, or `… -- open` for strangers alone. Hostile documents through upload, attachment and cited
 * page, and strangers who send 31 MB to every open route, while others use the server.
 */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPage } from '../src/evidence/web.ts'
import { pdfFile } from '../test/evidence/files.ts'
import { hostileFiles, nestedPdf } from '../test/evidence/hostile-files.ts'
import { startLab } from '../test/lab/server.ts'

const token = 'a-token-that-is-long-enough-to-serve'
const own = { authorization: `Bearer ${token}` }
const data = mkdtempSync(join(tmpdir(), 'roundtable-doors-'))

/** Megabytes of a process and of all that it started. Linux only. */
const megabytesOf = (pid: number): number => {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return Number(kilobytes) / 1_000 + children.reduce((sum, child) => sum + megabytesOf(Number(child)), 0)
  } catch {
    return 0
  }
}

const serve = async (lab: string) => {
  const main = new URL('../src/main/main.ts', import.meta.url).pathname
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    env: {
      ...{ PATH, HOME, ROUNDTABLE_DATA: data, ROUNDTABLE_TOKEN: token, ROUNDTABLE_LOCAL: 'no' },
      ROUNDTABLE_ENDPOINTS: `lab=${lab}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const address = /Roundtable is at (http:\S+)/.exec(text)?.[1]
    if (address !== undefined) {
      child.stdout.resume()
      return { address, pid: child.pid!, stop: () => child.kill('SIGTERM') }
    }
  }
  throw new Error('the server did not start')
}

/** Looks at memory and at how long others wait until the work is done. */
const watched = async (
  pid: number,
  path: string,
  headers: Record<string, string>,
  work: () => Promise<unknown>,
) => {
  const before = megabytesOf(pid)
  let [most, longest, done] = [before, 0, false]
  const memory = setInterval(() => {
    most = Math.max(most, megabytesOf(pid))
  }, 25)
  const looking = (async () => {
    while (!done) {
      const began = performance.now()
      await (await fetch(path, { headers })).text()
      longest = Math.max(longest, performance.now() - began)
      await sleep(25)
    }
  })()
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1_000
  done = true
  await looking
  clearInterval(memory)
  return `${seconds.toFixed(1)} s, memory +${Math.round(most - before)} MB (from ${Math.round(before)}), others waited ${Math.round(longest)} ms at most`
}

/** In a process of their own, which has to send 3 GB. Replies by status; 0: the connection was closed. */
const strangers = async (address: string): Promise<Record<string, number>> => {
  const body = Buffer.alloc(31_000_000, '[')
  const send = (): Promise<number> =>
    new Promise(resolve => {
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
      const outgoing = request(address, { method: 'POST', headers }, reply => {
        reply.resume()
        reply.on('end', () => resolve(reply.statusCode!))
      })
      outgoing.on('error', () => resolve(0))
      outgoing.end(body)
    })
  const counts: Record<string, number> = {}
  for (const status of await Promise.all(Array.from({ length: 100 }, send)))
    counts[status] = (counts[status] ?? 0) + 1
  return counts
}

if (process.argv[2] === 'strangers') {
  process.send!(await strangers(process.argv[3]!))
  process.exit()
}

const lab = await startLab({})
const server = await serve(lab.baseURL)
try {
  const call = (path: string, body: unknown) =>
    fetch(`${server.address}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { ...own, 'content-type': 'application/json' },
    })
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const upload = async (name: string, bytes: Uint8Array): Promise<string> =>
    (await call('/api/exhibits', { files: [{ name, data: base64(bytes) }] })).text()
  // The first request of each kind loads its code.
  await upload('first.pdf', pdfFile(['First']))

  const only = process.argv[2]
  for (const [name, bytes] of Object.entries(only === 'open' ? {} : hostileFiles())) {
    let waited = 0
    const ten = Array.from({ length: 10 }, (_, copy) => Buffer.concat([bytes, Buffer.alloc(copy + 1)]))
    const report = await watched(server.pid, `${server.address}/healthz`, {}, async () => {
      const hostile = ten.map(one => upload(name, one))
      const attached = call('/api/estimate', {
        ...{ question: 'Why?', seats: ['lab/a', 'lab/b'] },
        attachments: [{ name, data: base64(bytes) }],
      }).then(reply => reply.text())
      const words = (await Promise.all([...hostile, attached])).at(-1) ?? ''
      waited = words.length
    })
    console.log(`${name}, ten uploads and one attachment: ${report}${waited > 0 ? '' : ' (no reply)'}`)
  }

  const bytes = nestedPdf()
  const pages = createServer((incoming, reply) => {
    if (incoming.url === '/robots.txt') reply.writeHead(404).end()
    else reply.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes)
  })
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  const page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/a`
  // In this process, since a server fetches from public addresses only.
  const rules = { resolve: async () => [{ address: '127.0.0.1', family: 4 }], allows: () => true }
  const mine = megabytesOf(process.pid)
  let peak = 0
  const look = setInterval(() => {
    peak = Math.max(peak, megabytesOf(process.pid))
  }, 25)
  const began = performance.now()
  const hostile = Array.from({ length: 10 }, () => readPage(page, { rules, from: 'mallory' }))
  const small = createServer((_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<p>Words</p>'),
  )
  await new Promise<void>(resolve => small.listen(0, '127.0.0.1', resolve))
  const good = await readPage(`http://127.0.0.1:${(small.address() as AddressInfo).port}/`, {
    rules,
    from: 'ada',
  })
  const waited = (performance.now() - began) / 1_000
  await Promise.all(hostile)
  clearInterval(look)
  console.log(
    `ten cited pages: +${Math.round(peak - mine)} MB; another person's page (${'text' in good ? 'read' : good.unreachable}) after ${waited.toFixed(1)} s`,
  )
  pages.close()
  small.close()

  const open = [
    '/login',
    '/api/seat/nobody/answer',
    '/api/shared/nobody',
    '/seat/nobody',
    '/healthz',
    '/api/sessions',
  ]
  for (const path of open) {
    let counts = ''
    const report = await watched(server.pid, `${server.address}/api/sessions`, own, async () => {
      const strangers = fork(new URL(import.meta.url).pathname, ['strangers', `${server.address}${path}`])
      counts = JSON.stringify((await once(strangers, 'message'))[0])
    })
    console.log(`POST ${path} of 100 strangers with 31 MB: ${counts}, ${report}`)
  }
} finally {
  server.stop()
  await lab.stop()
  await sleep(2_000)
  rmSync(data, { recursive: true, force: true })
}
process.exit()
