/** Open rounds among simulated seats: who hears whom, who moves, and why. */
import { supportOf } from '../../src/bench/replay.ts'
import { majority, type Vote } from '../../src/core/rules.ts'
import type { SimulatedQuestion, SimulatedTable } from './simulated-table.ts'

export interface Debate {
  readonly rounds: number
  /**
   * How much more convincing the right answer is than a wrong one. At 1 debate is neutral; at 2 a right answer
   * convinces twice as often as a wrong one; at 0.5 half as often.
   */
  readonly tilt: number
  /** Questions with at least this much support aren't debated. */
  readonly gate?: number
}

export interface SimulatedFlip {
  readonly from: string
  readonly to: string
  /** The seat can cite words of a peer's answer. */
  readonly cited: boolean
}

export interface Debated {
  readonly votes: readonly Vote[]
  readonly flips: readonly SimulatedFlip[]
  /** Most flips went to the final leader and cite nothing: a warning, which decides nothing. */
  readonly herding: boolean
  readonly opened: boolean
}

const plain = majority()

const pullOf = (tilt: number, right: boolean): number => Math.min(1, right ? tilt : 1 / tilt)

/** One seat's next answer: it may join the largest camp, or be convinced by one random peer. */
const nextFor = (
  place: number,
  now: readonly string[],
  leader: string | null,
  { table, question, debate, random }: Scene,
): SimulatedFlip | undefined => {
  const seat = table.seats[place]!
  const own = now[place]!
  const [joins, heard, convinced] = [random(), random(), random()]
  if (seat.adversarial) return undefined
  if (joins < (seat.conformity ?? 0)) {
    return leader === null || leader === own ? undefined : { from: own, to: leader, cited: false }
  }
  const peer = (place + 1 + Math.floor(heard * (now.length - 1))) % now.length
  const said = now[peer]!
  const loud = table.seats[peer]!.adversarial ? 1 : pullOf(debate.tilt, said === question.gold)
  if (said === own || convinced >= (seat.persuadability ?? 0) * loud) return undefined
  return { from: own, to: said, cited: !table.seats[peer]!.adversarial }
}

interface Scene {
  readonly table: SimulatedTable
  readonly question: SimulatedQuestion
  readonly debate: Debate
  readonly random: () => number
}

export const debated = (scene: Scene): Debated => {
  const { question, debate } = scene
  const context = { options: [] }
  const sealed = question.votes.map(vote => vote.value)
  const opened = supportOf(question.votes, sealed.length) < (debate.gate ?? Infinity) - 1e-9
  const history = [sealed]
  const flips: SimulatedFlip[] = []
  for (let round = 0; round < (opened ? debate.rounds : 0); round++) {
    const now = history.at(-1)!
    const leader = plain.decide(votesFrom(question, [now]), context).value
    const moves = now.map((_, place) => nextFor(place, now, leader, scene))
    flips.push(...moves.filter(move => move !== undefined))
    history.push(now.map((own, place) => moves[place]?.to ?? own))
  }
  const votes = votesFrom(question, history)
  const leader = plain.decide(votes, context).value
  const followed = flips.filter(flip => flip.to === leader && !flip.cited).length
  return { votes, flips, herding: followed * 2 > flips.length, opened }
}

const votesFrom = (question: SimulatedQuestion, history: readonly (readonly string[])[]): Vote[] =>
  question.votes.map((vote, place) => ({
    ...vote,
    value: history.at(-1)![place]!,
    rounds: history.map(round => round[place]!),
  }))
