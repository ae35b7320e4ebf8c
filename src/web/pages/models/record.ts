/** What the track record says, in figures that can be compared. */
import type { StatsReply } from '../../../api/index.ts'
import { percent } from '../../../core/wording/numbers.ts'

/** What isn't known, or never happened. */
export const none = '–'

export type ModelStats = StatsReply['models'][number]

/** Null if there is nothing to take a share of. */
export const share = (part: number, of: number): number | null => (of > 0 ? part / of : null)

export const accuracyOf = ({ sealed }: ModelStats): number | null => share(sealed.right, sealed.of)

export const persuasionOf = ({ persuasion }: ModelStats): number | null =>
  share(persuasion.adopters, persuasion.exposures)

/** "67% (2/3)": one of one is less than ninety of ninety, so the counts always stand beside the share. */
export const shareWords = (part: number, of: number): string =>
  of === 0 ? none : `${percent(part / of)} (${part}/${of})`

/** By the pair, whichever of the two is named first. */
export const agreementIn = (stats: StatsReply, one: string, other: string) =>
  stats.agreement.find(
    pair => (pair.one === one && pair.other === other) || (pair.one === other && pair.other === one),
  )
