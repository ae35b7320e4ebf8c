/** Models in the order in which a person looks for them. */
import type { ModelReply } from '../../../api/index.ts'

export interface Used {
  readonly model: ModelReply
  /** In how many sessions it was. */
  readonly sessions: number
}

/** Those used most first, then those that can be seated, then the newest; only those that have all the words. */
export const byUse = (
  models: readonly ModelReply[],
  uses: ReadonlyMap<string, number>,
  words: string,
): Used[] => {
  const wanted = words.toLowerCase().split(/\s+/)
  return models
    .filter(({ name, makerLabel, id }) => {
      const text = `${name} ${makerLabel} ${id}`.toLowerCase()
      return wanted.every(word => text.includes(word))
    })
    .map(model => ({ model, sessions: uses.get(model.id) ?? 0 }))
    .toSorted(
      (one, other) =>
        other.sessions - one.sessions || Number(other.model.configured) - Number(one.model.configured),
    )
}
