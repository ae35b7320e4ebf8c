/** All makers. Catalogue, doctor, help and contract tests derive from this list. */
import type { Maker } from '../maker.ts'
import * as list from './list.ts'

/** Providers of other makers' models come after the makers. */
const listedLast = ['groq', 'openrouter', 'vercel', 'ollama']

export const makers: readonly Maker[] = Object.values<Maker>(list).sort(
  (one, other) => listedLast.indexOf(one.id) - listedLast.indexOf(other.id),
)
