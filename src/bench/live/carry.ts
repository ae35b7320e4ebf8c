/** What carrying a verdict over does: the same questions asked again, by tables that were told of the first time and not. */
import type { Session } from '../../core/log/state.ts'
import { meanOf } from '../bootstrap.ts'
import { type PairedDifference, pairedDifference } from '../paired.ts'
import type { GoldQuestion } from './questions.ts'
import { isSeatRight, scoreOfVerdict } from './score.ts'

/** One question: asked first, asked again without a word about it, and asked again with it. */
export interface CarryTrial {
  readonly gold: GoldQuestion
  readonly first: Session
  readonly none: Session
  readonly carried: Session
}

/** Shares of questions whose verdict was right. */
export interface CarryShares {
  readonly questions: number
  readonly none: number
  readonly carried: number
}

export interface CarryFigures {
  readonly questions: number
  /** The first time. */
  readonly first: number
  readonly none: number
  readonly carried: number
  /** Carried minus none. */
  readonly compared: PairedDifference
  /** The same for each seat's own sealed answer. */
  readonly seats: CarryShares & { readonly compared: PairedDifference }
  /** Apart by what was carried over: a right verdict, or a wrong one. Ties are left out. */
  readonly afterRight: CarryShares
  readonly afterWrong: CarryShares
}

const creditOf = (gold: GoldQuestion, session: Session): number => scoreOfVerdict(gold, session).credit

const seatsRight = (gold: GoldQuestion, session: Session): number =>
  session.seats.filter(({ id }) => isSeatRight(gold, session, id)).length / session.seats.length

const columnOf = (trials: readonly CarryTrial[], credit: (trial: CarryTrial) => number): Float64Array =>
  Float64Array.from(trials, credit)

const sharesOf = (
  trials: readonly CarryTrial[],
  credit: (gold: GoldQuestion, session: Session) => number,
): CarryShares => ({
  questions: trials.length,
  none: meanOf(columnOf(trials, ({ gold, none }) => credit(gold, none))),
  carried: meanOf(columnOf(trials, ({ gold, carried }) => credit(gold, carried))),
})

const comparedBy = (
  trials: readonly CarryTrial[],
  credit: (gold: GoldQuestion, session: Session) => number,
  seed: string,
): PairedDifference =>
  pairedDifference(
    columnOf(trials, ({ gold, carried }) => credit(gold, carried)),
    columnOf(trials, ({ gold, none }) => credit(gold, none)),
    seed,
  )

export const carryFigures = (trials: readonly CarryTrial[], seed: string): CarryFigures => {
  const whole = sharesOf(trials, creditOf)
  const firstWas = (credit: number): CarryTrial[] =>
    trials.filter(({ gold, first }) => creditOf(gold, first) === credit)
  return {
    ...whole,
    first: meanOf(columnOf(trials, ({ gold, first }) => creditOf(gold, first))),
    compared: comparedBy(trials, creditOf, seed),
    seats: { ...sharesOf(trials, seatsRight), compared: comparedBy(trials, seatsRight, seed) },
    afterRight: sharesOf(firstWas(1), creditOf),
    afterWrong: sharesOf(firstWas(0), creditOf),
  }
}
