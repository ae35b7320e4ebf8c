/** What Ollama answers on its port, with a lab behind it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Lists these models, and hands every other request on to the lab. Gives back its port. */
export const startOllama = async (lab: string, models: readonly string[]): Promise<number> => {
  const server = createServer(async (request, response) => {
    if (request.url === '/api/tags') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ models: models.map(name => ({ name, size: 5_000_000_000 })) }))
      return
    }
    const reply = await fetch(`${lab.replace(/\/v1$/, '')}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body: await buffer(request) }),
    })
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
