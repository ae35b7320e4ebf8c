/** A live bench of follow-ups: every question is asked, and asked again as a follow-up, with its first verdict and without. */
import { type CarryFigures, type CarryTrial, carryFigures } from '../bench/live/carry.ts'
import type { GoldQuestion } from '../bench/live/questions.ts'
import type { Carry } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import { afterOf } from '../core/verdict/carry-over.ts'
import type { Carrier, Planned } from './carry.ts'
import { spentIn } from './folder.ts'
import { type LiveBench, type LiveResult, type Progress, planned, pollFor, queueOf } from './live.ts'

export interface CarryResult extends CarryFigures, Pick<LiveResult, 'ended' | 'left' | 'spent' | 'seed'> {
  readonly carry: Carry
  readonly seats: CarryFigures['seats']
  readonly models: readonly string[]
}

/** Both follow-ups have the same seed, so that nothing differs but what is carried over. */
const againFor = (bench: LiveBench, gold: GoldQuestion, first: Session, carry: Carry): Planned => {
  const { rounds: _rounds, ...table } = bench.table
  const moderator = gold.question.format === 'open' ? {} : { moderator: null }
  const seed = `${bench.seed} ${gold.id} follow-up`
  const own = { protocol: 'poll', seed, after: first.id, carry, ...moderator }
  return { ...planned({ ...bench, table }, gold, own), links: { after: afterOf(first, carry) } }
}

export const runCarryOver = async (
  carrier: Carrier,
  bench: LiveBench,
  carry: Carry,
  onProgress: Progress = () => {},
): Promise<CarryResult> => {
  const { questions, seed } = bench
  const work = queueOf(carrier, bench.parallel, onProgress, () => questions.length * 3)
  const trials = await work.all(
    questions.map(gold => async (): Promise<CarryTrial[]> => {
      const first = await work.session(pollFor(bench, gold))
      const none = first && (await work.session(againFor(bench, gold, first, 'none')))
      const carried = first && none && (await work.session(againFor(bench, gold, first, carry)))
      return first && none && carried ? [{ gold, first, none, carried }] : []
    }),
  )
  const scored = trials.flat()
  return {
    ...carryFigures(scored, seed),
    carry,
    models: scored[0]?.first.seats.map(({ model }) => model) ?? [],
    ended: work.ended(),
    left: questions.length - scored.length,
    spent: await spentIn(carrier.store),
    seed,
  }
}
