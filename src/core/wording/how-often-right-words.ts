/** How often tables like this one were right, in one sentence that every face shows. */
import type { HowOftenRight } from '../track-record/how-often-right.ts'
import type { SealedSplit } from '../track-record/split.ts'
import { wholeNumber } from './numbers.ts'

const splitWords: Readonly<Record<SealedSplit, string>> = {
  unanimous: 'whose sealed vote was unanimous',
  supermajority: 'of which at least two thirds agreed in the sealed vote',
  majority: 'of which more than half agreed in the sealed vote',
  plurality: 'without a majority in the sealed vote',
  tie: 'whose sealed vote was a tie',
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

const recordedWords = ({ recorded }: HowOftenRight): string =>
  `${wholeNumber(recorded.tables)} such tables in recorded debates of real models`

const range = ({ low, high }: HowOftenRight): string => `${Math.round(low * 100)}–${percent(high)}`

/** "Tables whose sealed vote was unanimous were right in about 90% (81–100% by source; 5,649 such tables in …)." */
export const howOftenRightSentence = (signal: HowOftenRight, ownShown = 10): string => {
  const { split, right, own, recorded } = signal
  const said = `Tables ${splitWords[split]} were right in about ${percent(right)}`
  if (own.of === 0) return `${said} (${range(signal)} by source; ${recordedWords(signal)}).`
  const both = `${own.right} of ${own.of} here, and ${percent(recorded.right)} of ${recordedWords(signal)}`
  return own.of < ownShown
    ? `${said} (${range(signal)} by source; ${both}).`
    : `${said} (95% interval ${range(signal)}; ${both}).`
}
