/** A table that isn't of one mind may only read the question in different ways: the verdict says so. */
import type { Reading } from '../log/state.ts'
import type { Level } from '../verdict/tally.ts'

export const readingsTitle = 'The split is partly about words'

/** There is no split, or nobody can say whether there is one. */
const withoutSplit: readonly (Level | null)[] = ['unanimous', 'unanimous-with-caveats', 'no-quorum', null]

interface Read {
  readonly level: Level | null
  readonly readings: readonly Reading[]
  name(seat: string): string
}

export interface ReadingText {
  readonly reading: string
  /** Names of the seats that read it so. */
  readonly who: string
}

/** How the seats of a split table read the question, and who reads it so. Empty if words don't part them. */
export const readingTexts = ({ level, readings, name }: Read): ReadingText[] =>
  readings.length < 2 || withoutSplit.includes(level)
    ? []
    : readings.map(({ reading, seats }) => ({ reading, who: seats.map(name).join(', ') }))
