/** The table for whoever has no key and no server: three voices of one small model. */
import { floor } from '../providers/house/index.ts'
import type { AskInput } from './open.ts'

export const houseLabel = 'three voices of one small model, demo-grade'

const model = `house/${floor.id}`

/** Temperaments that a model of this size can still tell apart, and that pull it in different directions. */
const temperaments = [
  { name: 'Careful (house)', brief: 'Think of what could go wrong.', temperature: 0.3 },
  { name: 'Hopeful (house)', brief: 'Think of what could be gained.', temperature: 0.6 },
  { name: 'Practical (house)', brief: 'Think of what works in practice.', temperature: 0.45 },
] as const

/** One open round: on two cores a second one would take the session over three minutes. */
export const houseTable = {
  seats: temperaments.map(temperament => ({ model, ...temperament })),
  moderator: model,
  rounds: 1,
} satisfies Partial<AskInput>
