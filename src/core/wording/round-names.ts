/** What rounds are called. */
import type { Round } from '../log/state.ts'

type Named = Pick<Round, 'index' | 'sealed'>

/** "Sealed round", "Open round 1" */
export const roundName = ({ index, sealed }: Named): string =>
  sealed ? 'Sealed round' : `Open round ${index}`

/** Within a sentence: "the sealed round", "open round 1" */
export const roundPhrase = ({ index, sealed }: Named): string =>
  sealed ? 'the sealed round' : `open round ${index}`

/** For a narrow place: "Sealed", "Round 1" */
export const roundLabel = ({ index, sealed }: Named): string => (sealed ? 'Sealed' : `Round ${index}`)

/** What the seats know when they answer. */
export const roundHint = ({ sealed }: Pick<Named, 'sealed'>): string =>
  sealed ? 'no seat sees another' : 'the seats respond to what the table said'
