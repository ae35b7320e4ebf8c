/** How often two models gave the same sealed answer. Two that always do are worth one vote, not two. */
import { groupingOf } from '../camps/camps.ts'
import type { Session } from '../log/state.ts'

export interface Agreement {
  /** Two models in alphabetical order. */
  readonly one: string
  readonly other: string
  readonly same: number
  readonly of: number
}

export interface Pair {
  readonly one: string
  readonly other: string
  readonly same: boolean
}

/** If nobody grouped the headlines, different words don't mean disagreement. */
export const pairsIn = (session: Session): Pair[] => {
  const round = session.roundsSoFar.find(({ sealed }) => sealed)
  const grouping = round && groupingOf(session, round)
  if (!round || !grouping || grouping.by === 'headline') return []
  const placed = session.seats.flatMap(({ id, model, scripted, outside }) => {
    const camp = grouping.camps.find(({ seats }) => seats.includes(id))?.id
    return scripted || outside || camp === undefined
      ? []
      : [{ model: round.handedIn[id]?.by?.model ?? model, camp }]
  })
  return placed.flatMap((first, index) =>
    placed
      .slice(index + 1)
      .filter(second => second.model !== first.model)
      .map(second => {
        const [one, other] = [first.model, second.model].sort()
        return { one: one!, other: other!, same: first.camp === second.camp }
      }),
  )
}

export const agreementOf = (pairs: readonly Pair[]): Agreement[] => {
  const byPair = Map.groupBy(pairs, ({ one, other }) => JSON.stringify([one, other]))
  return [...byPair.values()]
    .map(own => ({
      one: own[0]!.one,
      other: own[0]!.other,
      same: own.filter(({ same }) => same).length,
      of: own.length,
    }))
    .sort((a, b) => (`${a.one} ${a.other}` < `${b.one} ${b.other}` ? -1 : 1))
}
