/** What the track record says, in figures that can be compared. */
import type { StatsReply } from '../../../api/index.ts'
import { percent } from '../../../core/wording/numbers.ts'

export type ModelStats = StatsReply['models'][number]

/** Null if there is nothing to take a share of. */
export const share = (part: number, of: number): number | null => (of > 0 ? part / of : null)

export const accuracyOf = ({ sealed }: ModelStats): number | null => share(sealed.right, sealed.of)

export const persuasionOf = ({ persuasion }: ModelStats): number | null =>
  share(persuasion.adopters, persuasion.exposures)

export const percentOr = (value: number | null, missing = '–'): string =>
  value === null ? missing : percent(value)

/** By the pair, whichever of the two is named first. */
export const agreementIn = (stats: StatsReply, one: string, other: string) =>
  stats.agreement.find(
    pair => (pair.one === one && pair.other === other) || (pair.one === other && pair.other === one),
  )
