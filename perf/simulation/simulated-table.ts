/** Simulated tables: seats of known accuracy that share as much luck and as many errors as you set. */
import type { Vote } from '../../src/core/rules.ts'

export interface SimulatedSeat {
  /** How often it is right, over all questions. */
  readonly accuracy: number
  /** 1: its sealed confidence is its true chance on that question; 0: it is meaningless; −1: it misleads. */
  readonly calibration?: number
  /** How readily a peer's argument convinces it. */
  readonly persuadability?: number
  /** How readily it joins the largest camp without a reason. */
  readonly conformity?: number
  /** Always gives the popular wrong answer, convincingly, and invents quotes. */
  readonly adversarial?: boolean
  /** The index of the seat that it copies in the sealed round. */
  readonly cloneOf?: number
}

export interface SimulatedTable {
  readonly seats: readonly SimulatedSeat[]
  readonly options: number
  /** How often seats share their luck on a question. */
  readonly sharedLuck: number
  /** How often a wrong seat falls for the question's popular wrong answer. */
  readonly trap: number
  /** How much a seat's chance of being right varies between questions. */
  readonly spread?: number
}

export interface SimulatedQuestion {
  readonly gold: string
  readonly trap: string
  readonly votes: readonly Vote[]
}

type Random = () => number

export const seatName = (place: number): string => `maker${place}/seat${place}`
const optionName = (place: number): string => String.fromCharCode(65 + place)

export const optionsOf = (table: SimulatedTable): string[] =>
  Array.from({ length: table.options }, (_, place) => optionName(place))

const wrongAnswer = (table: SimulatedTable, gold: number, trap: number, random: Random): number => {
  if (random() < table.trap || table.options < 3) return trap
  const others = Array.from({ length: table.options }, (_, place) => place)
  return others.filter(place => place !== gold && place !== trap)[Math.floor(random() * (table.options - 2))]!
}

export const questionFrom = (table: SimulatedTable, random: Random): SimulatedQuestion => {
  const gold = Math.floor(random() * table.options)
  const trap = (gold + 1 + Math.floor(random() * (table.options - 1))) % table.options
  const common = random()
  const votes: Vote[] = []
  for (const [place, seat] of table.seats.entries()) {
    const chance = seat.accuracy + (random() * 2 - 1) * (table.spread ?? 0)
    const luck = random() < table.sharedLuck ? common : random()
    const wrong = seat.adversarial ? trap : wrongAnswer(table, gold, trap, random)
    const own = !seat.adversarial && luck < chance ? gold : wrong
    const value = seat.cloneOf === undefined ? optionName(own) : votes[seat.cloneOf]!.value
    const sealedConfidence = seat.adversarial ? 1 : 0.7 + (seat.calibration ?? 0) * (chance - seat.accuracy)
    votes.push({ seat: seatName(place), value, sealedConfidence: Math.min(1, Math.max(0, sealedConfidence)) })
  }
  return { gold: optionName(gold), trap: optionName(trap), votes }
}

export const questionsFrom = (table: SimulatedTable, count: number, random: Random): SimulatedQuestion[] =>
  Array.from({ length: count }, () => questionFrom(table, random))

/** Six seats like the recorded ones: as accurate, and as often wrong in the same way. */
export const realistic = (traits: Partial<SimulatedSeat> = {}): SimulatedTable => ({
  seats: [0.887, 0.86, 0.86, 0.859, 0.847, 0.814].map(accuracy => ({ accuracy, ...traits })),
  options: 4,
  sharedLuck: 0.72,
  trap: 0.83,
})
