/** A folder of sessions, and what all of them have cost. */
import { type Spent, spentBy, together } from '../bench/live/spent.ts'
import type { Budget } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import { type Meter, meterFor } from '../runtime/budget.ts'
import { usedBefore } from '../runtime/used-before.ts'
import type { Store } from '../store/store.ts'

const sessionsIn = async (store: Store): Promise<Session[]> => {
  const listed = await store.list()
  return Promise.all(listed.map(async ({ id }) => fold(await store.read(id))))
}

/** A debate continues from the sealed answers of a poll, which paid for them. */
const paidBy = (session: Session): Session =>
  session.protocol === 'poll'
    ? session
    : { ...session, roundsSoFar: session.roundsSoFar.filter(round => !round.sealed) }

export const spentIn = async (store: Store): Promise<Spent> =>
  together((await sessionsIn(store)).map(session => spentBy(paidBy(session))))

/** One budget for all sessions of the folder, past and future: starting again doesn't raise it. */
export const meterOver = async (store: Store, budget: Budget | undefined): Promise<Meter> => {
  const before = (await sessionsIn(store)).flatMap(session => usedBefore(paidBy(session)))
  return meterFor(budget, before)
}
