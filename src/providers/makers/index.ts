/** Every maker there is. Catalogue, doctor, help and contract tests derive from this list. */
import type { Maker } from '../maker.ts'
import * as list from './list.ts'

/** Those that make models come before those that pass on the models of others, or run what is on this machine. */
const passOn = ['groq', 'openrouter', 'vercel', 'ollama']

export const makers: readonly Maker[] = Object.values<Maker>(list).sort(
  (one, other) => passOn.indexOf(one.id) - passOn.indexOf(other.id),
)
