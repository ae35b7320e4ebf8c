/** Fetches the house model with a person's consent, once at a time, and tells how far it is. */
import { floor } from '../providers/house/index.ts'
import { type Cache, conditionOf, ensureWeights } from '../providers/house/weights.ts'
import { houseLabel, houseModel } from '../runtime/house-table.ts'
import type { HouseReply } from './api.ts'

export interface HouseFetch {
  state(): Promise<HouseReply>
  /** Begins to fetch, unless that is under way. Only called where a person agreed. */
  start(): void
  close(): void
}

export const houseFetch = (cache: Cache): HouseFetch => {
  const control = new AbortController()
  let fetched: number | null = null
  let problem: string | null = null
  const run = async (): Promise<void> => {
    problem = null
    try {
      await ensureWeights(cache, floor, {
        consent: async () => true,
        progress: bytes => {
          fetched = bytes
        },
        signal: control.signal,
      })
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    fetched = null
  }
  return {
    async state() {
      return {
        model: houseModel,
        name: floor.name,
        label: houseLabel,
        licence: floor.licence,
        bytes: floor.bytes,
        state: fetched === null ? await conditionOf(cache.folder, floor) : 'fetching',
        fetched,
        problem,
      }
    },
    start() {
      if (fetched !== null) return
      fetched = 0
      void run()
    },
    close: () => control.abort(),
  }
}
