/** All makers. Catalogue, doctor, help and contract tests derive from this list. */
import type { Maker } from '../maker.ts'
import * as list from './list.ts'

/** Hosts of other makers' models, and local servers, come after the makers. */
const hosts = ['groq', 'openrouter', 'vercel', 'ollama']

export const makers: readonly Maker[] = Object.values<Maker>(list).sort(
  (one, other) => hosts.indexOf(one.id) - hosts.indexOf(other.id),
)
