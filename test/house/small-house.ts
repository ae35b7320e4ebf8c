/** A built-in model of half a megabyte, downloaded from a hub on loopback. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { weightsFile } from '../../src/builtin/fetch.ts'
import { floor, type House, house, type Weights } from '../../src/builtin/provider.ts'
import { type HouseFetch, houseFetch } from '../../src/http/house-fetch.ts'
import { weightsCache } from '../../src/table/reach.ts'
import { engineOfTests } from '../environment/engine.ts'
import { type HubFaults, startHub, type TestHub } from './hub-server.ts'
import { writeBabbler } from './tiny-gguf.ts'

export interface SmallHouse {
  readonly hub: TestHub
  readonly weights: Weights
  /** Downloads the model into its own folder. */
  readonly fetching: HouseFetch
  /** Answers with the model once it is downloaded. */
  readonly provider: House
  /** For the pace of the hub: breaks the connection after the first bytes. */
  breakOff(): Promise<never>
  stop(): Promise<void>
}

const path = 'maker/model-GGUF/resolve/abc123/model.gguf'

/** `folder` holds the weights, and the test removes it; `faults` may change while it runs. */
export const openSmallHouse = async (folder: string, faults: HubFaults = {}): Promise<SmallHouse> => {
  const original = join(folder, 'original.gguf')
  writeBabbler(original, 'small house')
  const bytes = readFileSync(original)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = { bytes: bytes.length, sha256 }
  const weights: Weights = { ...floor, ...size, origin: 'hub', parts: [{ from: path, ...size }] }
  const hub = await startHub({ [path]: bytes }, faults)
  const cache = weightsCache({
    ROUNDTABLE_CACHE: folder,
    ROUNDTABLE_HUB: hub.address,
    ROUNDTABLE_ENGINE: engineOfTests,
  })
  const provider = house({
    engine: async () => engineOfTests,
    weights: async () => weightsFile(cache.folder, weights),
    threads: 1,
  })
  const fetching = houseFetch(cache, [weights])
  return {
    hub,
    weights,
    fetching,
    provider,
    async breakOff() {
      while (!(await fetching.state()).fetched) await sleep(5)
      throw new Error('The connection breaks.')
    },
    async stop() {
      provider.stop()
      await hub.stop()
    },
  }
}
