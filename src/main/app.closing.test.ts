import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer } from './app.ts'

const request = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

const listening = async (answer: RequestListener) => {
  const server = createServer({ keepAliveTimeout: 600_000 }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  const client = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(request)
    return socket
  }
  return { server, client }
}

test('[H238] a client that sends the next request at once does not keep a stopping server alive', async () => {
  let answered = 0
  const closed = Promise.withResolvers<void>()
  const { server, client } = await listening((_, reply) => {
    answered++
    // Long enough for the connection to be busy whenever somebody looks for idle ones.
    setTimeout(() => reply.end('done'), 120)
    if (answered === 2) closed.resolve(closeServer(server, () => {}, 600_000))
  })
  const socket = await client()
  socket.on('data', () => socket.write(request))
  await closed.promise
  expect(answered).toBeLessThanOrEqual(3)
})

test('[H238] a reply that is under way is finished, and its connection closed', async () => {
  const asked = Promise.withResolvers<() => void>()
  const { server, client } = await listening((_, reply) => asked.resolve(() => reply.end('whole')))
  const socket = await client()
  const finish = await asked.promise
  let text = ''
  socket.on('data', piece => (text += piece))
  await closeServer(server, () => setTimeout(finish, 100))
  await expect.poll(() => text).toContain('whole')
})

test('[H239] a client that does not read its reply is cut off', async () => {
  const { server, client } = await listening((_, reply) => {
    for (let piece = 0; piece < 400; piece++) reply.write(Buffer.alloc(100_000))
  })
  const socket = await client()
  socket.pause()
  await once(server, 'request')
  await closeServer(server, () => {}, 200)
  expect(server.listening).toBe(false)
})
