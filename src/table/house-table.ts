/** The table if there is no key and no server: one small built-in model plays three seats. */
import type { Weights } from '../providers/house/built-in.ts'

/** The name of this line-up. */
export const houseLineup = 'house'

export const houseLabel = "One small model plays all three seats. It's a demo: don't rely on its answers"

/** Temperaments that a model of this size can still tell apart, and that pull it in different directions. */
const temperaments = [
  { manner: 'careful', brief: 'Think of what could go wrong.', temperature: 0.3 },
  { manner: 'hopeful', brief: 'Think of what could be gained.', temperature: 0.6 },
  { manner: 'practical', brief: 'Think of what works in practice.', temperature: 0.45 },
] as const

/** One open round: on two cores a second one would take the session over three minutes. */
export const houseTable = ({ id, name }: Pick<Weights, 'id' | 'name'>) => {
  const model = `house/${id}`
  return {
    seats: temperaments.map(({ manner, ...rest }) => ({ model, name: `${name}, ${manner}`, ...rest })),
    moderator: model,
    rounds: 1,
  }
}
