/** The table for whoever has no key and no server: three voices of one small model. */
import { floor } from '../providers/house/index.ts'
import type { AskInput } from './open.ts'

export const houseLabel = 'three voices of one small model, demo-grade'

export const houseModel = `house/${floor.id}`

/** Temperaments that a model of this size can still tell apart, and that pull it in different directions. */
const temperaments = [
  { name: 'TinyLlama 1.1B, careful', brief: 'Think of what could go wrong.', temperature: 0.3 },
  { name: 'TinyLlama 1.1B, hopeful', brief: 'Think of what could be gained.', temperature: 0.6 },
  { name: 'TinyLlama 1.1B, practical', brief: 'Think of what works in practice.', temperature: 0.45 },
] as const

/** One open round: on two cores a second one would take the session over three minutes. */
export const houseTable = {
  seats: temperaments.map(temperament => ({ model: houseModel, ...temperament })),
  moderator: houseModel,
  rounds: 1,
} satisfies Partial<AskInput>

/** What was asked for counts over what the house table would have. */
export const houseInput = (input: AskInput): AskInput => ({
  ...houseTable,
  ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
  question: input.question,
})
