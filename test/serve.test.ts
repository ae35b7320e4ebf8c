/** `serve` as a process, and other commands beside it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exporterNamed } from '../src/exports/index.ts'
import { terminals } from './command-line.ts'
import { startLab } from './lab/server.ts'
import { sampleLog } from './sample-session.ts'
import { openStream } from './server/stream.ts'

const key = 'sesame-open-4711'
const token = 'a-token-that-nobody-guesses'
const question = 'Should a small team with one product begin to write its own database?'
const closed = ['--protocol', 'poll', '--options', 'Yes,No', '--moderator', 'none']

test('[T83] [T86] [T87] [T88] [T89] [J63] [J65] a server and the commands beside it share the archive', {
  timeout: 240_000,
}, async () => {
  const lab = await startLab({ key, models: { hang: { fault: 'hang', first: 1 } } })
  onTestFinished(() => lab.stop())
  const { folder, start, run } = terminals()
  // Only the server knows the models: what is asked beside it is asked by it.
  const server = start(['serve', '--verbose', '--port', '0'], {
    ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
    ROUNDTABLE_LAB_KEY: key,
    ROUNDTABLE_TOKEN: token,
  })
  const address = await server.wrote(/Roundtable is at (http:\S+)/)

  const refused = await run('serve', '--port', '0')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(`A server is already running at ${address} (pid ${server.child.pid})`)

  const asked = await run('ask', question, '--seats', 'lab/a,lab/b', ...closed)
  expect(asked).toMatchObject({ code: 0, err: '' })
  expect(asked.out).toMatch(/A a answers/)
  const unknown = await run('ask', question, '--seats', 'nowhere/x', ...closed)
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining(`The server at ${address} says:`) })

  writeFileSync(join(folder, 'sample.json'), exporterNamed('json').write(sampleLog))
  expect((await run('import', 'sample.json')).code).toBe(0)
  expect((await run('export', '20260102-sample', '--format', 'markdown')).out).toBe(
    exporterNamed('markdown').write(sampleLog),
  )
  expect((await run('search', 'sandwich')).out).toContain('20260102-sample')
  expect((await run('backup', 'all.jsonl')).code).toBe(0)
  expect((await run('delete', '20260102-sample')).code).toBe(0)

  const [link, again] = [await run('share', 'last'), await run('share', 'last')]
  expect(link.out).toBe(again.out)
  const shared = link.out.trim().replace('/shared/', '/api/shared/')
  expect(await (await fetch(shared)).json()).toMatchObject({ question })
  const guest = await openStream(`${shared}/events`)
  await guest.until(seen => seen.length > 0)
  expect((await run('share', 'last', '--revoke')).code).toBe(0)
  expect((await fetch(shared)).status).toBe(404)
  await guest.ended

  // A terminal that is closed takes nothing with it.
  const left = start(['ask', question, '--seats', 'lab/a,lab/b,lab/hang', '--deadline', '10', ...closed])
  await left.wrote(/b answers/)
  expect((await run('sessions')).out).toContain('running')
  left.child.kill('SIGKILL')
  await expect.poll(async () => (await run('sessions')).out, { timeout: 60_000 }).not.toContain('running')

  server.child.kill('SIGTERM')
  const { code, out, err } = await server.done
  expect(code).toBe(0)
  expect(err).toMatch(/"sessions":\["\S+"\],"msg":"Took sessions from the queue\."/)
  const words = `${out}${err}${asked.out}${link.err}`
  expect([words.includes(key), words.includes(token)]).toEqual([false, false])
  expect((await run('sessions', '--json')).out).toContain(question)
})

test('[T90] a worker without DATABASE_URL says what it needs', async () => {
  const { run } = terminals()
  const { code, err } = await run('worker')
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Set DATABASE_URL') })
})
