/** How much a table agrees, in words. The log and the JSON export keep their own names for it. */
import type { Level } from '../verdict/tally.ts'
import { capitalised } from './capital.ts'

export const levelWords: Record<Level, string> = {
  unanimous: 'unanimous',
  'unanimous-with-caveats': 'unanimous, with caveats',
  supermajority: 'large majority',
  majority: 'majority',
  plurality: 'no majority',
  tie: 'tie',
  split: 'split',
  'no-quorum': 'no quorum',
}

/** "Large majority", for a badge or the beginning of a line. A single seat has nobody to agree with. */
export const levelTitle = (level: Level, alone = false): string =>
  alone && level.startsWith('unanimous') ? 'One answer' : capitalised(levelWords[level])

/** The verdict's line beside a badge that has said its first words already. */
export const lineBeside = (level: Level | null, line: string): string => {
  const said = level ? `${levelTitle(level)}: ` : ''
  return line.startsWith(said) ? line.slice(said.length) : line
}
