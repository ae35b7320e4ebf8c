/** The colour of a level, which is no camp's. */
import type { Level } from '../verdict/tally.ts'

export const levelColour = (level: Level): string =>
  `var(--level-${level === 'unanimous-with-caveats' ? 'unanimous' : level})`
