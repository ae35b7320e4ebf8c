/** The table for whoever has no key and no server: three voices of one small model. */
import type { Weights } from '../providers/house/built-in.ts'
import type { AskInput } from './opening.ts'

export const houseLabel = 'three voices of one small model, demo-grade'

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
  } satisfies Partial<AskInput>
}

/** What was asked for counts over what the house table would have. */
export const houseInput = (input: AskInput, weights: Weights): AskInput => ({
  ...houseTable(weights),
  ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
  question: input.question,
})
