/** A hub on loopback that answers like the real one: a redirect to the bytes, and ranges of them. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestHub {
  readonly address: string
  /** The requests in their order, such as "GET /path bytes=3-". */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

export interface HubFaults {
  /** Never answers. */
  readonly mute?: boolean
  /** Sends this many bytes of a reply, then closes the connection or stops sending. */
  readonly cutAfter?: number
  readonly stallAfter?: number
  /** Sends this many bytes at a time and waits in between; if the wait fails, the connection breaks. */
  readonly pace?: { readonly bytes: number; next(): Promise<unknown> }
  /** Ignores the requested range and sends the whole file. */
  readonly wholeOnly?: boolean
  /** Wrong checksums to announce, by path. */
  readonly claims?: Readonly<Record<string, string>>
  /** What is sent instead of the promised bytes. */
  readonly sends?: Buffer
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const sendSlowly = async (
  bytes: Buffer,
  pace: NonNullable<HubFaults['pace']>,
  response: ServerResponse,
): Promise<void> => {
  try {
    for (let from = 0; from < bytes.length && !response.destroyed; from += pace.bytes) {
      response.write(bytes.subarray(from, from + pace.bytes))
      await pace.next()
    }
    response.end()
  } catch {
    response.destroy()
  }
}

/** `/org/name/resolve/revision/file` redirects to `/blobs/sha256`; a renamed repository redirects to its new path first. */
export const startHub = async (
  files: Readonly<Record<string, Buffer>>,
  faults: HubFaults = {},
  renamed: Readonly<Record<string, string>> = {},
): Promise<TestHub> => {
  const asked: string[] = []

  const blob = (bytes: Buffer, request: IncomingMessage, response: ServerResponse): void => {
    const from = faults.wholeOnly ? 0 : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const part = (faults.sends ?? bytes).subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': part.length,
      'accept-ranges': 'bytes',
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    if (faults.pace) return void sendSlowly(part, faults.pace, response)
    const limit = faults.cutAfter ?? faults.stallAfter
    if (limit === undefined || limit >= part.length) response.end(part)
    else
      response.write(part.subarray(0, limit), () => {
        if (faults.cutAfter !== undefined) response.destroy()
      })
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    asked.push([request.method, request.url, request.headers.range].filter(Boolean).join(' '))
    if (faults.mute) return
    const held = Object.values(files).find(bytes => path === `blobs/${sha256(bytes)}`)
    if (held) return blob(held, request, response)
    const bytes = files[path]
    if (bytes) {
      response.writeHead(302, {
        location: `/blobs/${sha256(bytes)}`,
        'x-repo-commit': path.split('/')[3] ?? '',
        'x-linked-size': bytes.length,
        'x-linked-etag': `"${faults.claims?.[path] ?? sha256(bytes)}"`,
      })
    } else if (renamed[path]) response.writeHead(307, { location: `/${renamed[path]}` })
    else response.writeHead(404, { 'x-error-code': 'EntryNotFound' })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
