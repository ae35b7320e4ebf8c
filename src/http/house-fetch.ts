/** Downloads a built-in model after a person has agreed, one at a time, and reports the progress. */
import type { HouseReply } from '../api/table.ts'
import { type Cache, ensureModel, hasEngine, modelCondition } from '../builtin/fetch.ts'
import { builtIn, type Weights } from '../builtin/provider.ts'
import { houseLabel } from '../table/seats.ts'

export interface HouseFetch {
  /** The model with this name, `house/tinyllama`; without one, the smallest. */
  named(model?: string): Weights | undefined
  /** The state of the best model that is downloaded or being downloaded, or of the smallest; and of all choices. */
  state(): Promise<HouseReply>
  /** A downloaded model: the one that is wanted, or the best. */
  ready(wanted?: Weights): Promise<Weights | undefined>
  /** Whether the engine is there that local models need. */
  hasEngine(): boolean
  /** Starts the download, unless one is under way. Call it only if a person agreed to this model. */
  start(weights: Weights): void
  close(): void
}

interface UnderWay {
  readonly weights: Weights
  fetched: number
}

/** `offered` has the best model first and the smallest last. */
export const houseFetch = (cache: Cache, offered: readonly Weights[] = builtIn): HouseFetch => {
  const control = new AbortController()
  let underWay: UnderWay | undefined
  let problem: string | null = null

  const run = async (current: UnderWay): Promise<void> => {
    try {
      await ensureModel(cache, current.weights, {
        consent: async () => true,
        progress: bytes => {
          current.fetched = bytes
        },
        signal: control.signal,
      })
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    underWay = undefined
  }

  const stateOf = async (weights: Weights) => ({
    model: `house/${weights.id}`,
    name: weights.name,
    licence: weights.licence,
    bytes: weights.bytes,
    state: underWay?.weights === weights ? ('fetching' as const) : await modelCondition(cache, weights),
  })

  return {
    named: model =>
      model === undefined ? offered.at(-1) : offered.find(({ id }) => `house/${id}` === model),
    async state() {
      const choices = await Promise.all(offered.map(stateOf))
      const best =
        choices.find(({ state }) => state === 'fetching') ?? choices.find(({ state }) => state === 'whole')
      return {
        ...(best ?? choices.at(-1)!),
        label: houseLabel,
        fetched: underWay?.fetched ?? null,
        problem,
        choices,
      }
    },
    async ready(wanted) {
      for (const weights of wanted ? offered.filter(({ id }) => id === wanted.id) : offered)
        if ((await modelCondition(cache, weights)) === 'whole') return weights
      return undefined
    },
    hasEngine: () => hasEngine(cache),
    start(weights) {
      if (underWay) return
      underWay = { weights, fetched: 0 }
      problem = null
      void run(underWay)
    },
    close: () => control.abort(),
  }
}
