/** Scores every rule on recorded debates: what `bench replay` shows for files with rounds. */
import { type Choice, choiceOf, type HeldOut, heldOutChoices } from './choice.ts'
import type { DebateSet } from './debates.ts'
import {
  type PoolFigures,
  poolFigures,
  type SetFigures,
  type SourceFigures,
  scoredSet,
  setFigures,
} from './figures.ts'
import type { ScoredSet } from './scored.ts'

export interface DebateReplay {
  readonly sets: readonly SetFigures[]
  readonly sources: readonly SourceFigures[]
  /** All sets of votes; if there are none, all sets of probabilities. */
  readonly pooled: PoolFigures
  /** All sets of probabilities, if there are votes too. */
  readonly probabilities?: PoolFigures
  /** What decision 28 chooses on these sets, if they have two sources or more. */
  readonly choice?: Choice & { readonly heldOut: readonly HeldOut[] }
  /** What was learnt and chosen on which part. */
  readonly parts: string
  readonly resamples: number
  readonly seed: string
}

export interface DebateReplayOptions {
  readonly seed: string
  readonly resamples?: number
  /** Called after each set. */
  readonly onProgress?: (done: number, of: number) => void
}

const parts =
  'Rules that learn (log-odds, dawid-skene) learn on one half of a set and are scored on the other, and the other way round. ' +
  'Held-out choices are made on all other sources and scored on the one named.'

const ofKind = (sets: readonly ScoredSet[], kind: ScoredSet['kind']): ScoredSet[] =>
  sets.filter(set => set.kind === kind)

export const replayDebates = (sets: readonly DebateSet[], options: DebateReplayOptions): DebateReplay => {
  const { seed, resamples = 2000 } = options
  const resampling = { seed, resamples }
  const scored = sets.map((set, index) => {
    const found = scoredSet(set, seed)
    options.onProgress?.(index + 1, sets.length)
    return found
  })
  const bySets = (some: readonly ScoredSet[]): PoolFigures =>
    poolFigures(some, resampling, some.length > 1 ? 'sets' : 'sessions')
  const sourcesOf = (some: readonly ScoredSet[]): SourceFigures[] =>
    [...Map.groupBy(some, ({ source }) => source)].map(([name, own]) => ({
      name,
      ...poolFigures(own, { ...resampling, seed: `${seed}/${name}` }),
    }))
  const [votes, probabilities] = [ofKind(scored, 'votes'), ofKind(scored, 'probabilities')]
  const sources = sourcesOf(votes)
  const pooled = bySets(votes.length > 0 ? votes : probabilities)
  return {
    sets: scored.map(set => setFigures(set, resampling)),
    sources: [...sources, ...sourcesOf(probabilities)],
    pooled,
    ...(votes.length > 0 && probabilities.length > 0 && { probabilities: bySets(probabilities) }),
    ...(sources.length > 1 && {
      choice: {
        ...choiceOf(sources, pooled),
        heldOut: heldOutChoices(sources, name => bySets(votes.filter(({ source }) => source !== name))),
      },
    }),
    parts,
    resamples,
    seed,
  }
}
