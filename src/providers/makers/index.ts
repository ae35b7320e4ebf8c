/** Every maker there is. Catalogue, doctor, help and contract tests derive from this list. */
import type { Maker } from '../maker.ts'
import { openai } from './openai.ts'

export const makers: readonly Maker[] = [openai]
