/**
 * Closes an HTTP server. What is being answered may be finished; then the connection is closed, even if the client would
 * send one more request: a client that asks again at once could otherwise keep a stopping server alive.
 */
import type { Server } from 'node:http'

/** Milliseconds. A client that doesn't read its reply must not hold up a process that its supervisor kills soon. */
const usualGrace = 5_000
const lookEvery = 50

/** Closes the server. `ending` is called once nothing new is taken, to end the replies that never end by themselves. */
export const closeServer = (server: Server, ending: () => void, grace = usualGrace): Promise<void> =>
  new Promise(resolve => {
    server.prependListener('request', (_request, reply) => {
      reply.shouldKeepAlive = false
    })
    const idle = setInterval(() => server.closeIdleConnections(), lookEvery)
    const late = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
    ending()
  })
