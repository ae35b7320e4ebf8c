/** How often tables like this one were right, in one sentence that every face shows. */
import type { HowOftenRight } from '../track-record/how-often-right.ts'
import type { SealedSplit } from '../track-record/split.ts'
import { wholeNumber } from './numbers.ts'

const splitWords: Readonly<Record<SealedSplit, string>> = {
  unanimous: 'a sealed vote was unanimous',
  supermajority: 'at least two thirds agreed in the sealed round',
  majority: 'more than half agreed in the sealed round',
  plurality: 'a sealed vote had no majority',
  tie: 'a sealed vote was a tie',
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

const recordedWords = ({ recorded }: HowOftenRight): string =>
  `${wholeNumber(recorded.tables)} recorded debates of real models`

const range = ({ low, high }: HowOftenRight): string => `${Math.round(low * 100)}–${percent(high)}`

/** "Track record: when a sealed vote was unanimous, the answer was right about 90% of the time (5,649 recorded debates …; 81–100% depending on the source)." */
export const howOftenRightSentence = (signal: HowOftenRight, ownShown = 10): string => {
  const { split, right, own, recorded } = signal
  const said = `Track record: when ${splitWords[split]}, the answer was right about ${percent(right)} of the time`
  const bySource = `${range(signal)} depending on the source`
  if (own.of === 0) return `${said} (${recordedWords(signal)}; ${bySource}).`
  const both = `${own.right} of ${own.of} here, and ${percent(recorded.right)} of ${recordedWords(signal)}`
  return own.of < ownShown
    ? `${said} (${both}; ${bySource}).`
    : `${said} (95% interval ${range(signal)}; ${both}).`
}
