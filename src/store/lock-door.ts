/**
 * A socket beside a lock that exists for as long as its process. Whoever shares the kernel can ask at it whether the
 * process lives, also from another container, where process ids mean nothing. It says nothing and takes nothing.
 */
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export interface Door {
  /** Its name in the folder. */
  readonly name: string
  /** Removes it. */
  close(): Promise<void>
}

/** The system cuts off longer paths. */
const longestPath = 100

/** Undefined if the folder can't have sockets. */
export const openDoor = (folder: string, token: string): Promise<Door | undefined> => {
  const name = `lock-${token.slice(0, 8)}`
  const path = join(folder, name)
  if (process.platform === 'win32' || Buffer.byteLength(path) > longestPath) return Promise.resolve(undefined)
  return new Promise(resolve => {
    const server = createServer(socket => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(path, () => {
      server.unref()
      resolve({ name, close: () => new Promise(closed => void server.close(() => closed())) })
    })
  })
}

/** `nobody` only if the system says that no process has the socket open any more. */
export const askAt = (path: string): Promise<'somebody' | 'nobody' | 'unknown'> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('somebody')
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'unknown'),
    )
  })
