/** A house with one real model of half a megabyte, fetched from a hub on loopback. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { floor, type Weights } from '../../src/providers/house/built-in.ts'
import { type House, house } from '../../src/providers/house/index.ts'
import { weightsFile } from '../../src/providers/house/weights.ts'
import { weightsCache } from '../../src/runtime/house.ts'
import { type HouseFetch, houseFetch } from '../../src/server/house-fetch.ts'
import { type HubFaults, startHub, type TestHub } from './hub-server.ts'
import { writeBabbler } from './tiny-gguf.ts'

export interface SmallHouse {
  readonly hub: TestHub
  readonly weights: Weights
  /** What fetches the model, into a folder of its own. */
  readonly fetching: HouseFetch
  /** Who answers with it, once it is there. */
  readonly provider: House
  stop(): Promise<void>
}

const path = 'maker/model-GGUF/resolve/abc123/model.gguf'

/** `folder` takes the weights, and goes with the test; `faults` may change while it runs. */
export const openSmallHouse = async (folder: string, faults: HubFaults = {}): Promise<SmallHouse> => {
  const original = join(folder, 'original.gguf')
  writeBabbler(original, 'small house')
  const bytes = readFileSync(original)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = { bytes: bytes.length, sha256 }
  const weights: Weights = { ...floor, ...size, origin: 'hub', parts: [{ from: path, ...size }] }
  const hub = await startHub({ [path]: bytes }, faults)
  const cache = weightsCache({ ROUNDTABLE_CACHE: folder, ROUNDTABLE_HUB: hub.address })
  const provider = house({ weights: async () => weightsFile(cache.folder, weights), threads: 1 })
  return {
    hub,
    weights,
    fetching: houseFetch(cache, [weights]),
    provider,
    async stop() {
      provider.stop()
      await hub.stop()
    },
  }
}
