/** How the input of `hybrid` grows with the table: linearly, not with its square. */
import { createRoundtable } from '../src/library/index.ts'

export const inputTokens = async (baseURL: string) => {
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })
  const rows: { seats: number; tokens: number; perSeat: number }[] = []
  for (const seats of [6, 12, 50, 200]) {
    const { result } = roundtable.ask({
      question: 'Does the input grow with the square of the table?',
      seats: Array.from({ length: seats }, (_, index) => `lab/m${index}`),
      moderator: 'lab/moderator',
      protocol: 'hybrid',
      rounds: 2,
      format: 'choice',
      options: ['Yes', 'No'],
      seed: 1,
    })
    const { usage } = await result
    const smallest = rows[0] ?? { seats, tokens: usage.inputTokens }
    rows.push({
      seats,
      tokens: usage.inputTokens,
      perSeat: usage.inputTokens / seats / (smallest.tokens / smallest.seats),
    })
  }
  return rows
}
