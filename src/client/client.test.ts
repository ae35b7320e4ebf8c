import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sampleLog } from '../../test/sample-session.ts'
import { question, startSetup } from '../../test/server/setup.ts'
import type { LiveEvent } from '../core/event.ts'
import type { AskInput } from '../table/ask.ts'
import { connectTo, remoteSessions, watch } from './client.ts'

const wish: AskInput = { ...question, format: 'choice' }

const collected = async (events: AsyncIterable<LiveEvent>, each?: (event: LiveEvent) => void) => {
  const all: LiveEvent[] = []
  for await (const event of events) {
    all.push(event)
    each?.(event)
  }
  return all
}

test('[T83] a session on a server is shown live, with deltas, and gives the same document', async () => {
  const { address, archive } = await startSetup({ lab: { tokensPerSecond: 200 } })
  const sessions = remoteSessions({ address })
  expect((await sessions.estimate(wish)).calls.low).toBeGreaterThan(0)
  const { events, result } = sessions.ask(wish)
  const seen = await collected(events)
  const { id, events: log } = await result
  expect(seen.some(({ type }) => type === 'delta')).toBe(true)
  expect(log).toEqual(await archive.read(id))
})

test('[T83] stopping it in the terminal stops it on the server', async () => {
  const { address, archive } = await startSetup({ lab: { models: { c: { fault: 'hang' } } } })
  const stop = new AbortController()
  const { events, result } = remoteSessions({ address }).ask({ ...wish, signal: stop.signal })
  await collected(events, event => {
    if (event.type === 'answer-given') stop.abort()
  })
  const { id, outcome } = await result
  expect(outcome).toBe('interrupted')
  expect((await archive.list())[0]).toMatchObject({ id, outcome })
})

test('[T83] a stopped session is resumed on the server, and shown until its new end', async () => {
  const { address, archive } = await startSetup({ lab: { models: { c: { fault: 'hang', first: 1 } } } })
  const sessions = remoteSessions({ address })
  const stop = new AbortController()
  const first = sessions.ask({ ...wish, signal: stop.signal })
  await collected(first.events, event => {
    if (event.type === 'answer-given') stop.abort()
  })
  const { id, events: before } = await first.result
  const again = sessions.resume(id, before.length - 1, new AbortController().signal)
  await collected(again.events)
  expect((await again.result).events).toEqual(await archive.read(id))
  expect((await again.result).outcome).toBe('verdict')
})

test("[T85] a refusal is shown in the server's own words", async () => {
  const { address } = await startSetup({ token: 'a-token-of-this-server' })
  const nowhere = { ...wish, seats: ['nowhere/x'] }
  await expect(remoteSessions({ address }).estimate(nowhere)).rejects.toThrow(/says: Send the token/)
  await expect(
    remoteSessions({ address, token: 'a-token-of-this-server' }).estimate(nowhere),
  ).rejects.toThrow(/The server at http.* says: .*nowhere/)
})

/** A server that streams the sample, a few events at a time, and closes the connection after each batch. */
const cuttingServer = async (few: number) => {
  const asked: number[] = []
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url!, 'http://x').searchParams.get('after'))
    asked.push(after)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // An event that was sent before: the watcher must skip it by its position.
    const part = sampleLog.slice(Math.max(0, after), after + 1 + few)
    const text = part.map(event => `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    response.write(
      `${text}data: {"type":"delta","round":0,"seat":"s1","field":"headline","text":"x"}\n\nda`,
      () => response.destroy(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('[T84] even if the connection breaks, every event comes once and in order', async () => {
  const { address, asked } = await cuttingServer(5)
  const words: string[] = []
  const events = await collected(watch(connectTo({ address }), 'x', { away: text => words.push(text) }))
  expect(events.filter(event => 'position' in event)).toEqual(sampleLog)
  expect(asked.slice(0, 3)).toEqual([-1, 4, 9])
  expect(new Set(words)).toEqual(new Set(['Lost the connection to the server. Reconnecting.']))
})

test('[J61] a long silence of the session does not end the watching', async () => {
  let visits = 0
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 1000\n\n')
    const isLast = ++visits === 3
    const events = isLast ? sampleLog : []
    for (const event of events) response.write(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`)
    if (!isLast) setTimeout(() => response.destroy(), 400)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await collected(watch(connectTo({ address }), 'x', { patience: 300 }))).toEqual(sampleLog)
})

test('[T85] if the server is gone, the message says what to do', async () => {
  const { address, server } = await cuttingServer(5)
  const events = watch(connectTo({ address }), '20260102-sample', { patience: 300 })
  await expect(
    collected(events, event => {
      if ('position' in event && event.position === 4) server.close()
    }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/is gone\. Session 20260102-sample continues when/),
    session: '20260102-sample',
  })
})

test('[T119] a server that redirects is reported and not followed: no token and no question goes to another address', async () => {
  const listening = async (handler: RequestListener): Promise<string> => {
    const server = createServer(handler)
    onTestFinished(() => void server.close())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const reached: IncomingHttpHeaders[] = []
  const elsewhere = await listening(({ headers }, response) => {
    reached.push(headers)
    response.end('{}')
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const address = await listening(({ url }, response) => {
      response.writeHead(status, { location: `${elsewhere}${url}?token=a-secret` }).end()
    })
    const connection = connectTo({ address, token: 'a-secret' })
    const words = `The server at ${address} redirects to ${elsewhere}. That isn't followed.`
    await expect(connection.get('/api/sessions')).rejects.toThrow(words)
    await expect(connection.post('/api/sessions', { question: 'Is it private?' })).rejects.toThrow(words)
    await expect(collected(watch(connection, 'one'))).rejects.toThrow(words)
  }
  expect(reached).toEqual([])
})
