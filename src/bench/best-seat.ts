/** The baseline that any table must beat: the single seat that did best on the labels. */
import type { Learning, Rule } from '../core/aggregation/rule.ts'

export const bestSeat = ({ seats, labelled }: Learning): Rule => {
  const right = (seat: string): number =>
    labelled.filter(({ votes, gold }) => votes.get(seat) === gold).length
  const best = seats.reduce((one, other) => (right(other) > right(one) ? other : one))
  return {
    id: 'best-seat',
    label: 'Best seat',
    summary: 'The seat that was right most often on the labelled questions decides alone.',
    decide(votes) {
      const value = votes.find(vote => vote.seat === best)?.value ?? null
      return { value, tied: [], scores: value === null ? {} : { [value]: 1 }, notes: [] }
    },
  }
}
