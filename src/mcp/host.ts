/** The server behind `roundtable mcp`: one that runs on the same archive, or one in this process. */

import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { usualPort } from '../main/serve.ts'
import type { Serving } from '../main/serving.ts'
import { holderOf } from '../store/folder-lock.ts'
import { connect, type ServerAddress } from '../store/shared.ts'
import type { Config } from '../table/config.ts'
import { archiveFolder } from '../terminal/archive.ts'
import type { Shell } from '../terminal/terminal.ts'

export interface TableHost {
  /** Finds the server or starts it. It is found anew after `lost`. */
  server(): Promise<ServerAddress>
  lost(): void
  close(): Promise<void>
}

const tries = 5
const pause = 300

/** The usual port, so that links to sessions stay the same; any other if it is taken. */
const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(usualPort, '127.0.0.1', () => probe.close(() => resolve(usualPort)))
  })

const runningOn = async (folder: string): Promise<ServerAddress | undefined> => {
  const holder = await holderOf(folder)
  const client = holder?.socket === undefined ? undefined : await connect(holder.socket, holder.token)
  return client?.hello.server
}

export const tableHost = (config: Config, shell: Shell): TableHost => {
  const { env, data } = config
  const isShared = Boolean(env.DATABASE_URL?.trim())
  let own: Serving | undefined
  let found: Promise<ServerAddress> | undefined

  const start = async (port: number): Promise<ServerAddress> => {
    const { startServing } = await import('../main/serving.ts')
    own = await startServing({ config, host: '127.0.0.1', port, verbose: false, shell })
    return { address: own.address, ...(own.token !== undefined && { token: own.token }) }
  }
  const findOrStart = async (): Promise<ServerAddress> => {
    for (let tried = 1; ; tried++) {
      const running = isShared ? undefined : await runningOn(archiveFolder(data))
      if (running) return running
      try {
        return await start(await freePort())
      } catch (error) {
        // Another process may have started a server in the same moment.
        if (tried === tries) throw error
      }
      await sleep(pause)
    }
  }
  return {
    server() {
      found ??= findOrStart().catch(error => {
        found = undefined
        throw error
      })
      return found
    },
    lost() {
      if (!own) found = undefined
    },
    async close() {
      // A server that is still starting would keep the process alive.
      await found?.catch(() => undefined)
      await own?.close()
    },
  }
}
