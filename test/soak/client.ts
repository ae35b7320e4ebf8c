/** Requests from many addresses of loopback, so that the limit of one address doesn't slow the soak down. */
import { createServer } from 'node:net'
import { Agent, request } from 'undici'

export interface Reply {
  readonly status: number
  readonly text: string
}

export interface Sending {
  readonly method?: string
  readonly body?: string
  readonly type?: string
  /** The body isn't read: it may be a stream without an end. */
  readonly unread?: boolean
}

export interface Client {
  /** Undefined: the connection failed. */
  send(path: string, sending?: Sending): Promise<Reply | undefined>
  close(): Promise<void>
}

const patience = 60_000

/** Linux has all of 127.0.0.0/8; elsewhere there may be one address. */
const canUse = (address: string): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer().on('error', () => resolve(false))
    server.listen(0, address, () => server.close(() => resolve(true)))
  })

export const createClient = async (base: string, network: number, count = 12): Promise<Client> => {
  const wanted = Array.from({ length: count }, (_, number) => `127.0.${network}.${number + 1}`)
  const addresses = (await canUse(wanted[0]!)) ? wanted : ['127.0.0.1']
  const agents = addresses.map(localAddress => new Agent({ connect: { localAddress } }))
  let turn = 0
  const once = async (
    path: string,
    { method = 'GET', body, type, unread }: Sending,
  ): Promise<Reply | undefined> => {
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(), patience)
    try {
      const response = await request(`${base}${path}`, {
        method: method.toUpperCase() as 'GET',
        dispatcher: agents[turn++ % agents.length]!,
        signal: control.signal,
        ...(body !== undefined && { body, headers: { 'content-type': type ?? 'application/json' } }),
      })
      if (!unread) return { status: response.statusCode, text: await response.body.text() }
      response.body.on('error', () => {})
      response.body.destroy()
      return { status: response.statusCode, text: '' }
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async send(path, sending = {}) {
      for (let tries = 1; ; tries++) {
        const reply = await once(path, sending)
        if (reply?.status !== 429 || tries === agents.length) return reply
      }
    },
    close: async () => void (await Promise.all(agents.map(agent => agent.destroy()))),
  }
}
