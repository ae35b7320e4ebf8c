/** Line-ups that people saved on a page, as the archive keeps them. */
import { z } from 'zod'
import { seatInputSchema } from '../core/question/seat-input.ts'
import type { Archive } from '../store/archive/archive.ts'
import type { Lineups } from './reach.ts'

/** One that an older version saved in another form is left out. */
export const savedLineups = async (archive: Pick<Archive, 'lineups'>): Promise<Lineups> => {
  const saved = z.record(z.string(), z.array(seatInputSchema).catch([])).parse(await archive.lineups())
  return Object.fromEntries(Object.entries(saved).filter(([, seats]) => seats.length > 0))
}
