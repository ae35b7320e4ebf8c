/** Small compressed replies that grow without bound, through every maker, to lists of models and local servers. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openAICompatible } from '../../src/models/chat.ts'
import { limitedTo, ReplyTooLarge } from '../../src/models/http.ts'
import { findLocalServers } from '../../src/models/local.ts'
import { makers } from '../../src/models/makers.ts'
import { callTo, partsFrom, textOf } from '../contracts/providers-contract.ts'

const megabyte = 1_000_000
const spaces = Buffer.alloc(40 * megabyte, ' ')
const grown = (before: string, after: string): Buffer =>
  gzipSync(Buffer.concat([Buffer.from(before), spaces, Buffer.from(after)]))

/** A server that replies to everything with this body, compressed. */
const growing = async (
  status: number,
  type: string,
  body: Buffer,
): Promise<{ port: number; origin: string }> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}` }
}

const replies = [
  ['a comment of a stream', 'text/event-stream', grown(': ', '\n\n')],
  ['an event of a stream', 'text/event-stream', grown('data: {"text": "', '"}\n\n')],
  ['an object', 'application/json', grown('{"text": "', '"}')],
] as const

/** Our own wire asks for nothing compressed and decompresses nothing. */
const packaged = makers.filter(({ connect }) => `${connect}`.includes('sdkProvider('))

test.each(packaged.map(({ id }) => id))(
  '[W28] a reply through %s is cut off, however small it was',
  async id => {
    const maker = makers.find(one => one.id === id)!
    for (const [, type, body] of replies) {
      expect(body.length).toBeLessThan(megabyte / 10)
      const { origin } = await growing(200, type, body)
      const provider = maker.connect({ key: 'sk-0123456789', baseURL: `${origin}/v1`, known: () => ({}) })
      const parts = await partsFrom(provider, callTo('some-model'))
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' })
      expect(textOf(parts).length).toBeLessThan(3 * megabyte)
    }
  },
)

test('[W28] an error is cut off after its first words', async () => {
  const { origin } = await growing(500, 'text/plain', grown('It broke.', ''))
  for (const maker of packaged.slice(0, 3)) {
    const provider = maker.connect({ key: 'sk-0123456789', baseURL: `${origin}/v1`, known: () => ({}) })
    const last = (await partsFrom(provider, callTo('some-model'))).at(-1)
    expect(last).toMatchObject({ type: 'error', error: { status: 500, message: 'It broke.' } })
  }
})

test('[W28] a list of models is cut off, compressed or not', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [')
    const more = (): void => {
      while (!response.destroyed && response.write(spaces.subarray(0, megabyte)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const endless = openAICompatible({ id: 'lab', baseURL: `http://127.0.0.1:${port}/v1` })
  const list = await endless.list()
  expect(list).toMatchObject({ error: { message: expect.stringContaining('larger than 8000000 bytes') } })
  // Its whole list would be fine, if only it were shorter.
  const ollama = await growing(200, 'application/json', grown('{"models": [{"name": "a"}]', '}'))
  expect(await findLocalServers({ ollama: ollama.port, lmstudio: 1, llamacpp: 1 })).toEqual([])
})

test('[W28] a list that names too many models is cut off', async () => {
  const data = Array.from({ length: 20_000 }, (_, index) => ({ id: `m${index}` }))
  const server = createServer((_request, response) => response.end(JSON.stringify({ data })))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const list = await openAICompatible({ id: 'lab', baseURL: `http://127.0.0.1:${port}/v1` }).list()
  expect('models' in list && list.models.length).toBe(5_000)
})

test('[W28] no more than the limit is read, whatever follows', async () => {
  let pulled = 0
  let cancelled = 0
  const endless = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(1_000))
        },
        cancel() {
          cancelled++
        },
      }),
      { status: 203, headers: { 'x-kept': 'yes' } },
    )
  const quiet = limitedTo(10_000, endless())
  expect([quiet.status, quiet.headers.get('x-kept')]).toEqual([203, 'yes'])
  expect((await quiet.bytes()).length).toBe(10_000)
  await expect(limitedTo(10_000, endless(), () => new ReplyTooLarge(10_000)).text()).rejects.toThrow(
    'larger than 10000 bytes',
  )
  expect([cancelled, pulled < 30]).toEqual([2, true])
})
