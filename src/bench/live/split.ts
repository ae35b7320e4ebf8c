/** Which questions choose the best seat, which seat that is, and how often it may be asked. */
import type { Session } from '../../core/log/state.ts'
import { shuffled } from '../../core/random.ts'
import type { GoldQuestion } from './questions.ts'
import { isSeatRight } from './score.ts'
import { spentOn } from './spent.ts'

/** A question and its sealed round. */
export interface Polled {
  readonly gold: GoldQuestion
  readonly poll: Session
}

export interface Best {
  readonly seat: string
  readonly right: number
  readonly of: number
}

/** By default a quarter. They are never scored: a seat must not be chosen on the questions it is compared on. */
export const devOf = (
  questions: readonly GoldQuestion[],
  asked: number | undefined,
  seed: string,
): Set<string> => {
  const count = asked ?? Math.max(1, Math.floor(questions.length / 4))
  const order = shuffled(
    questions.map(({ id }) => id),
    `${seed}/dev`,
  )
  return new Set(order.slice(0, Math.min(count, questions.length - 1)))
}

/** The seat that was right most often; among equals, the first at the table. */
export const bestSeatOf = (polled: readonly Polled[]): Best => {
  const seats = polled[0]?.poll.seats ?? []
  const scored = seats.map(({ id }) => ({
    seat: id,
    right: polled.filter(({ gold, poll }) => isSeatRight(gold, poll, id)).length,
    of: polled.length,
  }))
  return scored.reduce((one, other) => (other.right > one.right ? other : one))
}

const tokensFor = (poll: Session, seat: string): number =>
  spentOn(poll.roundsSoFar[0]?.handedIn[seat]?.usage).tokens

/** How many answers of the seat these tokens buy, judged by its sealed answer to this question. */
export const samplesFor = (
  tokens: number,
  seat: string,
  poll: Session,
  all: readonly Polled[],
  most: number,
): number => {
  const others = all.map(one => tokensFor(one.poll, seat)).filter(value => value > 0)
  const mean = others.reduce((sum, value) => sum + value, 0) / Math.max(1, others.length)
  const each = tokensFor(poll, seat) || mean || tokens
  return Math.max(1, Math.min(most, Math.floor(tokens / each)))
}
